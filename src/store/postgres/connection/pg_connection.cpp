// Transactions on top of the pipeline.
#include "store/postgres/connection/pg_connection.hpp"

#include <iterator>
#include <utility>

#include "base/assert.hpp"
#include "store/postgres/connection/pg_connect.hpp"
#include "store/postgres/connection/pg_link.hpp"
#include "store/postgres/connection/pg_pipeline.hpp"
#include "store/postgres/connection/pg_session.hpp"

namespace fencepost::store::pg {

// Every round trip ends with a Sync, even inside a transaction, where a Flush would be enough: only after a Sync does
// the server treat the session as idle in transaction, and only then does that timeout release the locks of a stalled
// node.
//
// A transaction of a single round trip has an explicit BEGIN and COMMIT, although a pipeline is a transaction by
// itself: otherwise an error or a warning of the implicit commit at the Sync would belong to no command, and statements
// that require a transaction block (LOCK, SET LOCAL) would fail.
struct Connection::Impl {
    explicit Impl(std::unique_ptr<Link> link, std::chrono::milliseconds answer_timeout)
        : pipeline(std::move(link), answer_timeout) {}

    [[nodiscard]] PGTransactionStatusType status() const { return PQtransactionStatus(pipeline.pq()); }

    Task<PgResult<std::vector<Rows>>> in_transaction(std::vector<Query> queries, bool begins, bool commits);

    Pipeline pipeline;
};

Task<PgResult<std::vector<Rows>>> Connection::Impl::in_transaction(std::vector<Query> queries, bool begins,
                                                                   bool commits) {
    if (pipeline.is_usable()) {
        FP_ASSERT(status() == (begins ? PQTRANS_IDLE : PQTRANS_INTRANS), "a transaction is {} open",
                  begins ? "already" : "not");
    }
    if (begins) queries.insert(queries.begin(), Query{.statement = &begin_statement});
    if (commits) queries.push_back({.statement = &commit_statement});

    auto answer = co_await pipeline.exchange(std::move(queries));
    if (!answer) {
        const bool open = pipeline.is_usable() && status() != PQTRANS_IDLE;
        if (open && !co_await pipeline.exchange({Query{.statement = &rollback_statement}})) pipeline.give_up();
        co_return answer;
    }
    if (begins) answer->erase(answer->begin());
    if (commits) answer->pop_back();
    co_return answer;
}

Task<PgResult<std::unique_ptr<Connection>>> Connection::connect(Executor executor, ConnectionOptions options) {
    auto established = co_await establish(executor, options);
    if (!established) co_return err(std::move(established.error()));
    if (auto wrong = check_version(established->get())) co_return err(std::move(*wrong));

    auto link = std::make_unique<Link>(executor, std::move(*established));
    auto impl = std::make_unique<Impl>(std::move(link), options.answer_timeout);
    const auto set_up = co_await set_up_session(&impl->pipeline, options);
    if (!set_up) co_return err(set_up.error());
    co_return std::unique_ptr<Connection>(new Connection(std::move(impl)));
}

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::~Connection() = default;

Task<PgResult<std::vector<Rows>>> Connection::run(std::vector<Query> queries) {
    return impl_->in_transaction(std::move(queries), true, true);
}

Task<PgResult<Rows>> Connection::run_one(Query query) {
    std::vector<Query> queries;
    queries.push_back(std::move(query));
    auto answer = co_await run(std::move(queries));
    if (!answer) co_return err(std::move(answer.error()));
    co_return std::move(answer->front());
}

Task<PgResult<std::vector<Rows>>> Connection::begin(std::vector<Query> queries) {
    return impl_->in_transaction(std::move(queries), true, false);
}

Task<PgResult<std::vector<Rows>>> Connection::more(std::vector<Query> queries) {
    return impl_->in_transaction(std::move(queries), false, false);
}

Task<PgResult<std::vector<Rows>>> Connection::commit(std::vector<Query> queries) {
    return impl_->in_transaction(std::move(queries), false, true);
}

Task<PgResult<void>> Connection::rollback() {
    if (is_usable() && impl_->status() == PQTRANS_IDLE) co_return PgResult<void>{};
    const auto answer = co_await impl_->pipeline.exchange({Query{.statement = &rollback_statement}});
    if (!answer) co_return err(answer.error());
    co_return PgResult<void>{};
}

Task<PgResult<void>> Connection::run_script(std::string sql) {
    FP_ASSERT(!is_usable() || impl_->status() == PQTRANS_IDLE, "a transaction is already open");
    return impl_->pipeline.script(std::move(sql));
}

Task<PgResult<std::vector<std::string>>> Connection::notifications(std::chrono::milliseconds patience) {
    return impl_->pipeline.notifications(patience);
}

bool Connection::is_usable() const { return impl_->pipeline.is_usable(); }
bool Connection::in_transaction() const { return impl_->status() == PQTRANS_INTRANS; }
int Connection::backend_pid() const { return PQbackendPID(impl_->pipeline.pq()); }

}  // namespace fencepost::store::pg
