// Builds the connection pools and runs single statements.
#include "store/postgres/postgres_store.hpp"

#include <utility>

#include "store/postgres/connection/pg_pool.hpp"
#include "store/postgres/connection/pg_store_error.hpp"

namespace fencepost::store {
namespace {

// One for renewals and one for heartbeats.
constexpr std::size_t priority_connections = 2;

}  // namespace

PostgresStore::PostgresStore(const Executor& executor, Clock& clock, Random& random, PostgresOptions options)
    : clock_(clock),
      options_(std::move(options)) {
    const pg::PoolOptions pool{.connection = options_.connection, .size = options_.connections};
    pool_ = std::make_unique<pg::Pool>(executor, clock, random, pool);
    openings_ = std::make_unique<pg::Pool>(executor, clock, random, pool);
    readers_ = std::make_unique<pg::Pool>(executor, clock, random, pool);
    priority_ = std::make_unique<pg::Pool>(
        executor, clock, random, pg::PoolOptions{.connection = options_.connection, .size = priority_connections});
}

PostgresStore::~PostgresStore() = default;

Task<Result<std::vector<pg::Rows>, StoreError>> PostgresStore::run(std::vector<pg::Query> queries) {
    return run_on(pool_.get(), std::move(queries));
}

Task<Result<std::vector<pg::Rows>, StoreError>> PostgresStore::read(std::vector<pg::Query> queries) {
    return run_on(readers_.get(), std::move(queries));
}

Task<Result<std::vector<pg::Rows>, StoreError>> PostgresStore::run_on(pg::Pool* pool, std::vector<pg::Query> queries) {
    auto connection = co_await pool->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto rows = co_await (*connection)->run(std::move(queries));
    if (!rows) co_return err(to_store_error(rows.error()));
    co_return std::move(*rows);
}

Task<Result<pg::Rows, StoreError>> PostgresStore::run_one_on(pg::Pool* pool, pg::Query query) {
    std::vector<pg::Query> queries;
    queries.push_back(std::move(query));
    auto rows = co_await run_on(pool, std::move(queries));
    if (!rows) co_return err(rows.error());
    co_return std::move(rows->front());
}

Task<Result<pg::Rows, StoreError>> PostgresStore::run(pg::Query query) {
    return run_one_on(pool_.get(), std::move(query));
}

Task<Result<pg::Rows, StoreError>> PostgresStore::read(pg::Query query) {
    return run_one_on(readers_.get(), std::move(query));
}

}  // namespace fencepost::store
