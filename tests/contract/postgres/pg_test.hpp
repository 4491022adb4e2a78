// Runs a test's task, a named coroutine, against its own database on the shared PostgreSQL.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "support/pg_cluster.hpp"
#include "system/system_clock.hpp"

namespace fencepost::store::pg {

struct World {
    SystemClock clock;
    asio::io_context context{1};
    test::PgCluster& cluster = test::PgCluster::shared();
    std::string database = cluster.fresh_database();
    ConnectionOptions options{.url = cluster.url(database)};

    [[nodiscard]] Executor executor() { return context.get_executor(); }
};

using Script = Task<void>(World*);

inline void play(Script script) {
    World world;
    std::exception_ptr thrown;
    bool ended = false;
    asio::co_spawn(world.context, script(&world), [&](const std::exception_ptr& error) {
        ended = true;
        thrown = error;
    });
    world.context.run_for(std::chrono::seconds(100));
    EXPECT_TRUE(ended) << "the test hangs";
    if (!ended) Teardown::begin(world.context);
    if (thrown) std::rethrow_exception(thrown);
}

/// Connects, or throws with the error's sentence.
inline Task<std::unique_ptr<Connection>> connected(World* world, std::optional<ConnectionOptions> options = {}) {
    auto connection = co_await Connection::connect(world->executor(), options.value_or(world->options));
    if (!connection) throw std::runtime_error(connection.error().what);
    co_return std::move(*connection);
}

inline std::vector<Query> queries(Query first, Query second = {}, Query third = {}, Query fourth = {}) {
    std::vector<Query> all;
    for (auto* query : {&first, &second, &third, &fourth}) {
        if (query->statement != nullptr) all.push_back(std::move(*query));
    }
    return all;
}

/// Inserts into the table that the test has created.
inline constexpr Statement insert{"insert", "INSERT INTO item (id) VALUES ($1)"};
inline Query insert_of(std::int64_t id) { return {&insert, Params().add(id)}; }

inline constexpr Statement sleep_long{"sleep_long", "SELECT pg_sleep(30)"};

}  // namespace fencepost::store::pg
