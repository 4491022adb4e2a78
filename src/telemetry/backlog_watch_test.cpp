#include "telemetry/backlog_watch.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/task_group.hpp"

namespace fencepost::telemetry {
namespace {

class ScriptedBacklogs final : public Backlogs {
public:
    Task<Result<std::vector<SubmitterBacklog>, StoreError>> backlogs(NodeId owner) override {
        EXPECT_EQ(owner, NodeId("a"));
        co_return answer;
    }
    Result<std::vector<SubmitterBacklog>, StoreError> answer{};
};

// Sleeps until the test says that the time has come.
class BellClock final : public Clock {
public:
    explicit BellClock(const Executor& executor) : bell_(executor) {}
    [[nodiscard]] Instant monotonic() const override { return {}; }
    [[nodiscard]] UnixTime unix_now() const override { return {}; }
    [[nodiscard]] Task<void> sleep_until(Instant /*deadline*/) override { return bell_.wait(); }
    [[nodiscard]] Task<void> wait_until(Wakeup* /*bell*/, Instant /*deadline*/) override { return bell_.wait(); }
    void ring() { bell_.ring(); }

private:
    Wakeup bell_;
};

TEST(BacklogWatch, TellsWhatTheDatabaseSaidLastAndNothingWhileItIsSilent) {
    asio::io_context context;
    const auto alice = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000aa").value();
    const auto bob = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000bb").value();
    ScriptedBacklogs backlogs;
    backlogs.answer = std::vector<SubmitterBacklog>{{alice, 5, 2}, {bob, 0, 1}};
    BellClock clock(context.get_executor());
    BacklogWatch watch(backlogs, clock, NodeId("a"));
    TaskGroup group(context.get_executor());
    EXPECT_TRUE(watch.readings().empty()) << "nothing was asked yet";
    group.spawn(watch.run());
    context.poll();
    EXPECT_EQ(watch.readings().size(), 5U);
    EXPECT_EQ(watch.pending(), 3U);

    backlogs.answer = err(StoreError::unavailable);
    clock.ring();
    context.restart();
    context.poll();
    EXPECT_TRUE(watch.readings().empty());
    EXPECT_EQ(watch.pending(), 0U);
    group.cancel();
    context.restart();
    context.poll();
}

}  // namespace
}  // namespace fencepost::telemetry
