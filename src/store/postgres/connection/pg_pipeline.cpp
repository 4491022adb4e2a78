// Prepares, sends and reads one round trip.
#include "store/postgres/connection/pg_pipeline.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::store::pg {
namespace {

constexpr int binary = 1;

// Prepared statements that no longer match: only a new session helps ("cached plan must not change result type" after a
// migration, or a name unknown to the server).
constexpr std::string_view feature_not_supported = "0A000";
constexpr std::string_view no_such_statement = "26000";
constexpr std::string_view in_failed_transaction = "25P02";

// The parameters of one statement in libpq's form.
struct Wire {
    explicit Wire(const Params& params) {
        for (const auto& value : params.values()) {
            // libpq reads a null pointer as NULL, and an empty vector's data() may be one.
            const auto* data = value.bytes && value.bytes->empty() ? "" : nullptr;
            if (value.bytes && !value.bytes->empty()) data = reinterpret_cast<const char*>(value.bytes->data());
            types.push_back(value.type);
            values.push_back(data);
            lengths.push_back(value.bytes ? static_cast<int>(value.bytes->size()) : 0);
            formats.push_back(binary);
        }
    }
    [[nodiscard]] int count() const { return static_cast<int>(values.size()); }

    std::vector<::Oid> types;
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
};

// A NULL parameter has no type, and PostgreSQL infers one when preparing: the same statement with a value is a
// different one.
std::string name_of(const Query& query) {
    std::string name(query.statement->name);
    const auto& values = query.params.values();
    if (std::ranges::none_of(values, [](const auto& value) { return value.type == 0; })) return name;
    name += ' ';
    for (const auto& value : values)
        name += value.type == 0 ? '0' : '1';
    return name;
}

std::string field(const PGresult* result, int code) {
    const char* value = PQresultErrorField(result, code);
    return value != nullptr ? value : "";
}

// An error returned by the server. One that ends the session may arrive when a COMMIT is done but not yet answered.
PgError error_of(const PGresult* result, bool of_commit) {
    const auto severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const bool ends_the_session = severity == "FATAL" || severity == "PANIC";
    auto kind = PgError::Kind::refused;
    if (ends_the_session) kind = of_commit ? PgError::Kind::unknown : PgError::Kind::lost;
    return {.kind = kind, .sqlstate = field(result, PG_DIAG_SQLSTATE), .what = message_of(result)};
}

// libpq creates a result without SQLSTATE when the server sent none.
bool is_synthetic(const PGresult* result) {
    return PQresultStatus(result) == PGRES_FATAL_ERROR && field(result, PG_DIAG_SQLSTATE).empty();
}

}  // namespace

// Shares the state instead of pointing to the pipeline: during teardown, the coroutine frame that owns the connection
// may be destroyed before the one that uses it.
class Pipeline::UnderWay {
public:
    explicit UnderWay(std::shared_ptr<State> state) : state_(std::move(state)) {
        FP_ASSERT(*state_ == State::idle, "two tasks use one connection at the same time");
        *state_ = State::busy;
    }
    ~UnderWay() {
        if (*state_ == State::busy) *state_ = State::broken;
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

    void complete() { *state_ = State::idle; }

private:
    std::shared_ptr<State> state_;
};

Pipeline::Pipeline(std::unique_ptr<Link> link, std::chrono::milliseconds answer_timeout)
    : link_(std::move(link)),
      answer_timeout_(answer_timeout) {}

bool Pipeline::is_usable() const { return *state_ == State::idle && link_->is_open(); }

// A server error before COMMIT proves that nothing was done, whatever happened to the connection afterwards.
PgError Pipeline::lost(bool commit_sent, const std::optional<PgError>& said) const {
    if (said) {
        const bool unknown = said->kind == PgError::Kind::unknown;
        return {.kind = unknown ? PgError::Kind::unknown : PgError::Kind::lost,
                .sqlstate = said->sqlstate,
                .what = said->what};
    }
    return {.kind = commit_sent ? PgError::Kind::unknown : PgError::Kind::lost, .what = link_->why_lost()};
}

bool Pipeline::send(const Query& query, std::vector<Command>& commands) {
    const Wire wire(query.params);
    const auto name = name_of(query);
    if (prepared_.insert(name).second) {
        const std::string sql(query.statement->sql);
        commands.push_back({.statement = query.statement, .prepares = name});
        if (PQsendPrepare(pq(), name.c_str(), sql.c_str(), wire.count(), wire.types.data()) == 0) return false;
    }
    commands.push_back({.statement = query.statement});
    return PQsendQueryPrepared(pq(), name.c_str(), wire.count(), wire.values.data(), wire.lengths.data(),
                               wire.formats.data(), binary) == 1;
}

bool Pipeline::send_all(const std::vector<Query>& queries, std::vector<Command>& commands, bool& commit_sent) {
    for (const auto& query : queries) {
        FP_ASSERT(query.statement != nullptr);
        commit_sent = commit_sent || query.statement == &commit_statement;
        if (!send(query, commands)) return false;
    }
    return PQpipelineSync(pq()) == 1;
}

Task<PgResult<std::vector<Rows>>> Pipeline::exchange(std::vector<Query> queries) {
    if (*state_ == State::broken) co_return err(PgError{.what = "the connection to the database broke before"});
    UnderWay under_way(state_);
    if (!link_->is_open()) co_return err(lost(false, std::nullopt));
    link_->forget_warning();
    link_->set_deadline(answer_timeout_);

    std::vector<Command> commands;
    bool commit_sent = false;
    if (!send_all(queries, commands, commit_sent)) co_return err(lost(commit_sent, std::nullopt));
    co_await link_->flush();

    Outcome outcome;
    if (!co_await receive(std::move(commands), &outcome)) co_return err(lost(commit_sent, outcome.error));
    under_way.complete();
    link_->forget_warning();
    if (!outcome.error) co_return std::move(outcome.rows);
    if (outcome.error->is(feature_not_supported) || outcome.error->is(no_such_statement)) give_up();
    co_return err(std::move(*outcome.error));
}

// False if the answers end before the Sync's.
Task<bool> Pipeline::receive(std::vector<Command> commands, Outcome* outcome) {
    for (const auto& command : commands) {
        // Earlier warnings of the server do not belong to the COMMIT's answer.
        if (command.statement == &commit_statement) link_->forget_warning();
        auto result = co_await link_->next();
        if (!result || *result == nullptr) co_return false;
        if (is_synthetic(result->get())) co_return false;
        judge(command, std::move(*result), *outcome);
        const auto end = co_await link_->next();
        if (!end || *end != nullptr) co_return false;
    }
    const auto sync = co_await link_->next();
    co_return sync&& PQresultStatus(sync->get()) == PGRES_PIPELINE_SYNC;
}

void Pipeline::judge(const Command& command, ResultPtr result, Outcome& outcome) {
    const auto status = PQresultStatus(result.get());
    const bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!done) {
        prepared_.erase(command.prepares);
        const bool first = status == PGRES_FATAL_ERROR && !outcome.error;
        if (first) outcome.error = error_of(result.get(), command.statement == &commit_statement);
        return;
    }
    if (!command.prepares.empty()) return;
    if (command.statement == &commit_statement && !outcome.error) {
        // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, formally a success.
        if (std::string_view(PQcmdStatus(result.get())) == "ROLLBACK") {
            outcome.error = PgError{.kind = PgError::Kind::refused,
                                    .sqlstate = std::string(in_failed_transaction),
                                    .what = "the transaction had failed and was rolled back"};
        } else if (!link_->warning().empty()) {
            outcome.error = PgError{.kind = PgError::Kind::unknown, .what = link_->warning()};
        }
    }
    outcome.rows.emplace_back(std::make_unique<Rows::Impl>(std::move(result)));
}

// Not an exchange: nothing is sent, so an abandoned wait leaves nothing behind.
Task<PgResult<std::vector<std::string>>> Pipeline::notifications(std::chrono::milliseconds patience) {
    if (!is_usable()) co_return err(lost(false, std::nullopt));
    link_->set_deadline(patience);
    auto payloads = link_->take_notifications();
    while (payloads.empty()) {
        if (!co_await link_->wait_for_input()) break;
        if (!is_usable()) co_return err(lost(false, std::nullopt));
        payloads = link_->take_notifications();
    }
    co_return payloads;
}

Task<PgResult<void>> Pipeline::script(std::string sql) {
    if (*state_ == State::broken) co_return err(PgError{.what = "the connection to the database broke before"});
    UnderWay under_way(state_);
    if (!link_->is_open() || PQexitPipelineMode(pq()) == 0) co_return err(lost(false, std::nullopt));
    link_->set_deadline(answer_timeout_);
    if (PQsendQuery(pq(), sql.c_str()) == 0) co_return err(lost(false, std::nullopt));
    co_await link_->flush();

    std::optional<PgError> error;
    for (;;) {
        const auto result = co_await link_->next();
        if (!result || PQstatus(pq()) != CONNECTION_OK) co_return err(lost(true, error));
        if (*result == nullptr) break;
        if (PQresultStatus(result->get()) == PGRES_FATAL_ERROR && !error) error = error_of(result->get(), true);
    }
    // A script that leaves a transaction open was not one transaction.
    if (PQtransactionStatus(pq()) != PQTRANS_IDLE || PQenterPipelineMode(pq()) == 0) {
        if (!error) error = PgError{.kind = PgError::Kind::refused, .what = "the script left a transaction open"};
        co_return err(std::move(*error));
    }
    under_way.complete();
    link_->forget_warning();
    if (error) co_return err(std::move(*error));
    co_return PgResult<void>{};
}

}  // namespace fencepost::store::pg
