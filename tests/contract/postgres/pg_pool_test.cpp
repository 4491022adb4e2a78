// Order, reuse, reconnecting and cancellation of the pool.
#include "store/postgres/connection/pg_pool.hpp"

#include <boost/asio/post.hpp>

#include "base/crypto/xoshiro256.hpp"
#include "postgres/pg_test.hpp"

namespace fencepost::store::pg {
namespace {

using namespace std::chrono_literals;
using Kind = PgError::Kind;
using testing::ElementsAre;

constexpr Statement one{"one", "SELECT 1::bigint"};

class TestRandom final : public Random {
public:
    std::uint64_t bits() override { return generator_.next(); }

private:
    Xoshiro256 generator_{{1, 2, 3, 4}};
};

struct Tools {
    explicit Tools(World* world, std::size_t size)
        : pool(world->executor(), world->clock, random, {.connection = world->options, .size = size}) {}
    TestRandom random;
    Pool pool;
};

Task<Pool::Lease> taken(Pool* pool) {
    auto lease = co_await pool->take();
    if (!lease) throw std::runtime_error(lease.error().what);
    co_return std::move(*lease);
}

Task<void> note_turn(Pool* pool, std::vector<int>* turns, int number) {
    const auto lease = co_await taken(pool);
    turns->push_back(number);
    std::ignore = co_await lease->run_one({&one});
}

Task<void> in_turn(World* world) {
    Tools tools(world, 1);
    std::vector<int> turns;
    TaskGroup group(world->executor());
    {
        const auto lease = co_await taken(&tools.pool);
        for (int i = 0; i < 5; ++i)
            group.spawn(note_turn(&tools.pool, &turns, i));
        std::ignore = co_await lease->run_one({&one});
        EXPECT_TRUE(turns.empty());
    }
    co_await group.join();
    EXPECT_THAT(turns, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(tools.pool.idle(), 1U);
}
TEST(PgPool, ServesWaitingTasksInOrder) { play(in_turn); }

Task<void> kept(World* world) {
    Tools tools(world, 2);
    const auto first = (co_await taken(&tools.pool))->backend_pid();
    EXPECT_EQ((co_await taken(&tools.pool))->backend_pid(), first);
    auto a = co_await taken(&tools.pool);
    const auto b = co_await taken(&tools.pool);
    EXPECT_NE(a->backend_pid(), b->backend_pid());
    auto moved = std::move(a);
    EXPECT_EQ(moved->backend_pid(), first);
    EXPECT_EQ(tools.pool.idle(), 0U);
}
TEST(PgPool, ReusesConnection) { play(kept); }

Task<void> open_transaction(World* world) {
    Tools tools(world, 1);
    int first = 0;
    {
        const auto lease = co_await taken(&tools.pool);
        first = lease->backend_pid();
        std::ignore = co_await lease->begin(queries({&one}));
    }
    EXPECT_EQ(tools.pool.idle(), 0U);
    EXPECT_NE((co_await taken(&tools.pool))->backend_pid(), first);
}
TEST(PgPool, DoesNotReuseConnectionWithOpenTransaction) { play(open_transaction); }

Task<void> start_after(World* world, Duration pause) {
    co_await world->clock.sleep_for(pause);
    world->cluster.start();
}

Task<void> restarted(World* world) {
    Tools tools(world, 3);
    {
        const auto a = co_await taken(&tools.pool);
        const auto b = co_await taken(&tools.pool);
    }
    EXPECT_EQ(tools.pool.idle(), 2U);
    world->cluster.stop_immediate();
    TaskGroup group(world->executor());
    group.spawn(start_after(world, 300ms));
    std::vector<Pool::Lease> all;
    for (int i = 0; i < 3; ++i)
        all.push_back(co_await taken(&tools.pool));
    co_await group.join();
    for (const auto& lease : all)
        EXPECT_TRUE((co_await lease->run_one({&one})).has_value());
    all.clear();
    EXPECT_EQ(tools.pool.idle(), 3U);
}
TEST(PgPool, ReconnectsWhenServerReturns) { play(restarted); }

Task<void> out_of_patience(World* world) {
    TestRandom random;
    auto options = world->options;
    options.url = "postgresql://u@127.0.0.1:1/db";
    Pool pool(world->executor(), world->clock, random, {.connection = options, .size = 1, .patience = 200ms});
    for (int i = 0; i < 3; ++i) {
        const auto lease = co_await pool.take();
        EXPECT_FALSE(lease.has_value());
        EXPECT_EQ(lease.error().kind, Kind::lost);
        EXPECT_THAT(lease.error().what, testing::HasSubstr("cannot reach the database"));
    }
}
TEST(PgPool, ReportsLongOutage) { play(out_of_patience); }

Task<void> wrong_at_once(World* world) {
    TestRandom random;
    auto options = world->options;
    options.url = world->cluster.url("no_such_database");
    // Patience beyond the duration of the test.
    Pool pool(world->executor(), world->clock, random, {.connection = options, .size = 1, .patience = 1h});
    EXPECT_TRUE((co_await pool.take()).error().is("3D000"));
}
TEST(PgPool, FailsAtOnceOnConfigurationError) { play(wrong_at_once); }

Task<void> use_for_ever(Pool* pool) {
    const auto lease = co_await taken(pool);
    std::ignore = co_await lease->run_one({&sleep_long});
}

// Tasks cancelled at every step (waiting, connecting, using) leak no permit of the pool.
Task<void> cancelled_at_every_step(World* world) {
    Tools tools(world, 2);
    for (int round = 0; round < 40; ++round) {
        TaskGroup group(world->executor());
        for (int i = 0; i < 4; ++i)
            group.spawn(use_for_ever(&tools.pool));
        for (int i = 0; i < round; ++i)
            co_await asio::post(asio::use_awaitable);
        group.cancel();
        co_await group.join();
    }
    const auto a = co_await taken(&tools.pool);
    const auto b = co_await taken(&tools.pool);
    EXPECT_TRUE((co_await b->run_one({&one})).has_value());
}
TEST(PgPool, CancelledTasksLeakNoPermit) { play(cancelled_at_every_step); }

Task<void> hold_and_wait(World* world, Tools* tools) {
    const auto lease = co_await taken(&tools->pool);
    TaskGroup group(world->executor());
    group.spawn(use_for_ever(&tools->pool));
    std::ignore = co_await lease->run_one({&sleep_long});
}

TEST(PgPool, DestroyedTasksLeaveNothingOpen) {
    auto world = std::make_unique<World>();
    auto tools = std::make_unique<Tools>(world.get(), 1);
    asio::co_spawn(world->context, hold_and_wait(world.get(), tools.get()), [](const std::exception_ptr&) {});
    world->context.run_for(100ms);
    tools.reset();
    Teardown::begin(world->context);
    world.reset();
}

}  // namespace
}  // namespace fencepost::store::pg
