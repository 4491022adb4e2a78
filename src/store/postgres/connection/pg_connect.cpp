// Connects asynchronously and explains failures.
#include "store/postgres/connection/pg_connect.hpp"

#include <array>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "store/postgres/connection/pg_link.hpp"
#include "store/postgres/connection/pg_socket_watch.hpp"

namespace fencepost::store::pg {
namespace {

constexpr auto advice_on_url = "write postgresql://user@host:5432/database, or key=value pairs such as host=… dbname=…";

// libpq's messages may quote the URL with its password: only harmless ones are passed on.
std::optional<PgError> check_url(const std::string& url) {
    char* said = nullptr;
    PQconninfoOption* const parsed = PQconninfoParse(url.c_str(), &said);
    const std::string why = said != nullptr ? one_line(said) : "";
    PQfreemem(said);
    if (parsed != nullptr) {
        PQconninfoFree(parsed);
        if (!url.empty()) return std::nullopt;
        return PgError{.kind = PgError::Kind::refused,
                       .what = fmt::format("the database URL is empty; {}", advice_on_url)};
    }
    const bool names_an_option =
        why.starts_with("invalid URI query parameter") || why.starts_with("invalid connection");
    return PgError{.kind = PgError::Kind::refused,
                   .what = fmt::format("the database URL is not a valid PostgreSQL URL{}; {}",
                                       names_an_option ? ": " + why : "", advice_on_url)};
}

// The URL follows the first set and may override it; nothing overrides the last set. A dead peer is detected within
// seconds, even when nothing is being sent.
ConnectionPtr start(const ConnectionOptions& options) {
    const auto unacknowledged_ms = std::to_string(options.answer_timeout.count());
    const std::array<const char*, 9> keywords{"keepalives",       "keepalives_idle",  "keepalives_interval",
                                              "keepalives_count", "tcp_user_timeout", "dbname",
                                              "application_name", "client_encoding",  nullptr};
    const std::array<const char*, 9> values{
        "1",    "3",    "1", "3", unacknowledged_ms.c_str(), options.url.c_str(), options.application_name.c_str(),
        "UTF8", nullptr};
    return ConnectionPtr(PQconnectStartParams(keywords.data(), values.data(), 1));
}

struct Refusal {
    std::string sqlstate;
    std::string what;
};

// libpq returns no SQLSTATE for a failed connection, but verbose messages contain it before the text. With several
// addresses, the last message counts.
Refusal refusal_of(const std::string& message) {
    static const std::regex verbose(R"(:  ([0-9A-Z]{5}): ([^\n]*))");
    Refusal refusal{{}, one_line(message)};
    for (std::sregex_iterator it(message.begin(), message.end(), verbose), end; it != end; ++it)
        refusal = {(*it)[1].str(), (*it)[2].str()};
    return refusal;
}

PgError unreachable(const PGconn* connection, std::string_view why) {
    return {.kind = PgError::Kind::lost,
            .what = fmt::format("cannot reach the database at {}: {}; check that PostgreSQL runs there and that host "
                                "and port in the URL are right",
                                place_of(connection), why)};
}

PgError explain(const PGconn* connection) {
    const auto [state, why] = refusal_of(PQerrorMessage(connection));
    const auto place = place_of(connection);
    const auto refused = [&state](std::string what) {
        return PgError{.kind = PgError::Kind::refused, .sqlstate = state, .what = std::move(what)};
    };
    if (state == "3D000") {
        return refused(fmt::format("there is no database \"{}\" at {}; create it or correct its name in the URL",
                                   PQdb(connection), place));
    }
    const bool needs_password = PQconnectionNeedsPassword(connection) == 1 || PQconnectionUsedPassword(connection) == 1;
    if (state.starts_with("28") || (state.empty() && needs_password)) {
        return refused(
            fmt::format("the database at {} rejects user \"{}\": {}; check the user and the password in the URL", place,
                        PQuser(connection), why));
    }
    if (!state.empty()) {
        return refused(fmt::format("the database at {} accepts no connections now: {}; try again later", place, why));
    }
    return unreachable(connection, why);
}

}  // namespace

std::string place_of(const PGconn* connection) {
    const auto text = [](const char* value) { return std::string_view(value != nullptr ? value : ""); };
    return fmt::format("{}:{}/{}", text(PQhost(connection)), text(PQport(connection)), text(PQdb(connection)));
}

Task<PgResult<ConnectionPtr>> establish(Executor executor, ConnectionOptions options) {
    if (auto wrong = check_url(options.url)) co_return err(std::move(*wrong));
    auto connection = start(options);
    if (connection == nullptr || PQstatus(connection.get()) == CONNECTION_BAD) co_return err(explain(connection.get()));
    PQsetErrorVerbosity(connection.get(), PQERRORS_VERBOSE);

    SocketWatch watch(executor);
    watch.set_deadline(options.connect_timeout);
    auto step = PGRES_POLLING_WRITING;
    while (step == PGRES_POLLING_WRITING || step == PGRES_POLLING_READING) {
        // libpq may have moved on to another address, or retried the same one without TLS, on another socket.
        if (!watch.follow(PQsocket(connection.get()))) co_return err(unreachable(connection.get(), "no socket"));
        const bool in_time =
            step == PGRES_POLLING_READING ? co_await watch.until_readable() : co_await watch.until_writable();
        if (!in_time) co_return err(unreachable(connection.get(), "no answer in time"));
        step = PQconnectPoll(connection.get());
    }
    if (step != PGRES_POLLING_OK) co_return err(explain(connection.get()));
    PQsetErrorVerbosity(connection.get(), PQERRORS_DEFAULT);
    co_return connection;
}

}  // namespace fencepost::store::pg
