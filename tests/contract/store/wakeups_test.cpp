// Wake-ups through a real PostgreSQL, between nodes with separate connections.
#include <chrono>
#include <functional>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "store/postgres/postgres_wakeups.hpp"
#include "support/pg_cluster.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

SubmitterId numbered(std::uint8_t number) {
    Address address;
    address.data[0] = number;
    return SubmitterId::evm(1, address);
}

class CountingLog final : public Log {
public:
    void write(Severity /*severity*/, std::string_view /*message*/,
               std::initializer_list<LogField> /*fields*/) override {
        ++lines;
    }
    int lines = 0;
};

// The receiving end of a node: everything it received.
struct Listener {
    Listener(const Executor& executor, Clock& clock, Random& random, Log& log, store::WakeupsOptions options)
        : wakeups(executor, clock, random, log, std::move(options)),
          tasks(executor) {
        tasks.spawn(wakeups.run());
        tasks.spawn(keep());
    }
    Task<void> keep() {
        while (true) {
            for (const auto& submitter : co_await wakeups.next()) {
                heard.insert(submitter);
                ++times;
            }
        }
    }
    [[nodiscard]] bool has(const SubmitterId& submitter) const { return heard.contains(submitter); }

    store::PostgresWakeups wakeups;
    std::set<SubmitterId> heard;
    std::size_t times = 0;
    TaskGroup tasks;
};

class WakeupsContract : public testing::Test {
protected:
    explicit WakeupsContract(std::chrono::milliseconds check_every = 200ms) : check_every_(check_every) {}
    ~WakeupsContract() override {
        for (auto* listener : {&a_, &b_})
            listener->tasks.cancel();
        context_.restart();
        context_.run_for(30s);
    }

    /// Runs the nodes until the condition holds; false after half a minute.
    bool until(const std::function<bool()>& holds) {
        const auto give_up = std::chrono::steady_clock::now() + 30s;
        context_.restart();
        while (!holds() && std::chrono::steady_clock::now() < give_up)
            context_.run_one_for(10ms);
        return holds();
    }
    [[nodiscard]] int listeners() const {
        return std::stoi(cluster_.value("postgres", "SELECT count(*) FROM pg_stat_activity WHERE datname = '" +
                                                        database_ + "' AND query ILIKE 'COMMIT%' AND state = 'idle'"));
    }
    [[nodiscard]] bool both_listen() {
        return until([this] { return listeners() == 2; });
    }
    [[nodiscard]] store::WakeupsOptions options(std::string name) const {
        return {.connection = {.url = cluster_.url(database_), .application_name = std::move(name)},
                .check_every = check_every_};
    }

    std::chrono::milliseconds check_every_;
    test::PgCluster& cluster_ = test::PgCluster::shared();
    std::string database_ = cluster_.fresh_database();
    asio::io_context context_{1};
    SystemClock clock_;
    SystemRandom random_;
    CountingLog log_;
    Listener a_{context_.get_executor(), clock_, random_, log_, options("a")};
    Listener b_{context_.get_executor(), clock_, random_, log_, options("b")};
};

// Here only announcements wake a node.
class WakeupsAlone : public WakeupsContract {
protected:
    WakeupsAlone() : WakeupsContract(1h) {}
};

TEST_F(WakeupsAlone, EveryNodeReceivesAnnouncement) {
    ASSERT_TRUE(both_listen());
    a_.wakeups.announce(numbered(1));
    ASSERT_TRUE(until([this] { return b_.has(numbered(1)); }));
    b_.wakeups.announce(numbered(2));
    EXPECT_TRUE(until([this] { return a_.has(numbered(2)) && a_.has(numbered(1)); }));
}

TEST_F(WakeupsContract, FoldsThousandAnnouncementsOfOneSubmitter) {
    ASSERT_TRUE(both_listen());
    for (int i = 0; i < 1000; ++i)
        a_.wakeups.announce(numbered(1));
    ASSERT_TRUE(until([this] { return b_.has(numbered(1)); }));
    a_.wakeups.announce(numbered(2));
    ASSERT_TRUE(until([this] { return b_.has(numbered(2)); }));
    EXPECT_EQ(b_.times, 2U);
}

TEST_F(WakeupsContract, ReconnectsAndSendsPendingAnnouncements) {
    ASSERT_TRUE(both_listen());
    // Only the announcing one: the other is always receiving.
    cluster_.run("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database_ +
                                 "' AND application_name = 'a'");
    a_.wakeups.announce(numbered(3));
    ASSERT_TRUE(until([this] { return log_.lines == 1; })) << "the loss is logged once";
    EXPECT_TRUE(until([this] { return b_.has(numbered(3)); })) << "pending wake-ups are sent now";
    ASSERT_TRUE(both_listen());
    b_.wakeups.announce(numbered(4));
    EXPECT_TRUE(until([this] { return a_.has(numbered(4)); })) << "and it receives again";
    EXPECT_EQ(log_.lines, 1);
}

TEST_F(WakeupsContract, ReceivesWhileSendingConstantly) {
    ASSERT_TRUE(both_listen());
    std::uint8_t number = 10;
    b_.wakeups.announce(numbered(1));
    EXPECT_TRUE(until([&] {
        a_.wakeups.announce(numbered(++number));
        return a_.has(numbered(1));
    }));
}

TEST_F(WakeupsContract, AnnouncingDuringOutageIsHarmless) {
    ASSERT_TRUE(both_listen());
    cluster_.stop_immediate();
    ASSERT_TRUE(until([this] { return log_.lines == 2; }));
    a_.wakeups.announce(numbered(5));
    context_.restart();
    context_.run_for(300ms);
    EXPECT_FALSE(b_.has(numbered(5)));
    cluster_.start();
    ASSERT_TRUE(both_listen());
    a_.wakeups.announce(numbered(6));
    EXPECT_TRUE(until([this] { return b_.has(numbered(6)); }));
    EXPECT_EQ(log_.lines, 2) << "once per outage";
}

TEST_F(WakeupsContract, IgnoresInvalidPayloads) {
    ASSERT_TRUE(both_listen());
    cluster_.run(database_, "NOTIFY fencepost_wakeup, 'nonsense'");
    cluster_.run(database_, "NOTIFY fencepost_wakeup, '" + numbered(7).to_string() + "'");
    ASSERT_TRUE(until([this] { return a_.has(numbered(7)); }));
    EXPECT_EQ(a_.heard.size(), 1U);
}

}  // namespace
}  // namespace fencepost::contract
