// Session settings and the checks before first use.
#include "store/postgres/connection/pg_session.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/postgres/connection/pg_connect.hpp"

namespace fencepost::store::pg {
namespace {

constexpr int oldest_version = 150000;

constexpr Statement set_settings{"set_settings", R"(
    SELECT set_config(setting.name, setting.value, false)
    FROM unnest($1::text[], $2::text[]) AS setting (name, value))"};

// A standby reports itself; default_transaction_read_only is how a primary is fenced off during a switch-over.
constexpr Statement check_writable{"check_writable", R"(
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean)"};

struct Settings {
    std::vector<std::optional<std::string>> names{};
    std::vector<std::optional<std::string>> values{};

    void add(std::string name, std::string value) {
        names.emplace_back(std::move(name));
        values.emplace_back(std::move(value));
    }
};

std::string in_ms(std::chrono::milliseconds time) { return fmt::format("{}ms", time.count()); }

// synchronous_commit keeps the operator's setting: durability is their decision.
Settings settings_of(const ConnectionOptions& options) {
    Settings settings;
    settings.add("statement_timeout", in_ms(options.statement_timeout));
    settings.add("lock_timeout", in_ms(options.lock_timeout));
    settings.add("idle_in_transaction_session_timeout", in_ms(options.idle_in_transaction_timeout));
    settings.add("TimeZone", "UTC");
    // The statements are written for this level: they lock what they read.
    settings.add("default_transaction_isolation", "read committed");
    // Our statements are too short for JIT compilation. With the planner settings below, one unavoidable scan looks so
    // expensive that it would be compiled every time: 160 ms for each read of the cluster.
    settings.add("jit", "off");
    if (!options.pin_plans) return settings;
    settings.add("enable_seqscan", "off");
    settings.add("enable_hashjoin", "off");
    settings.add("enable_mergejoin", "off");
    // plan_cache_mode stays `auto`: forcing generic plans made no measurable difference for single-row updates, and
    // with these three settings off few plans can change.
    return settings;
}

}  // namespace

std::optional<PgError> check_version(const PGconn* connection) {
    const int version = PQserverVersion(connection);
    if (version >= oldest_version) return std::nullopt;
    return PgError{.kind = PgError::Kind::refused,
                   .what = fmt::format("the database at {} is PostgreSQL {}; upgrade it to {} or newer",
                                       place_of(connection), version / 10000, oldest_version / 10000)};
}

Task<PgResult<void>> set_up_session(Pipeline* pipeline, ConnectionOptions options) {
    const auto settings = settings_of(options);
    std::vector<Query> queries(2);
    queries[0] = {.statement = &set_settings, .params = Params().add(settings.names).add(settings.values)};
    queries[1] = {.statement = &check_writable};
    auto answer = co_await pipeline->exchange(std::move(queries));
    if (!answer) co_return err(std::move(answer.error()));
    if ((*answer)[1].boolean(0, 0)) {
        co_return err(
            PgError{.kind = PgError::Kind::refused,
                    .sqlstate = "25006",  // read_only_sql_transaction
                    .what = fmt::format("the database at {} is a read-only standby; use the primary's address",
                                        place_of(pipeline->pq()))});
    }
    co_return PgResult<void>{};
}

}  // namespace fencepost::store::pg
