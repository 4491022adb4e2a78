#include "ports/clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// A stopped clock that records sleep deadlines.
class Stopped : public Clock {
public:
    explicit Stopped(Instant now) : now_(now) {}
    Instant monotonic() const override { return now_; }
    UnixTime unix_now() const override { return {}; }
    Task<void> sleep_until(Instant deadline) override {
        asked = deadline;
        co_return;
    }
    Task<void> wait_until(Wakeup*, Instant deadline) override { return sleep_until(deadline); }

    Instant asked;

private:
    Instant now_;
};

TEST(Clock, SleepForCountsFromNow) {
    Stopped clock(Instant(5s));
    asio::io_context context;
    asio::co_spawn(context, clock.sleep_for(2s), [](const std::exception_ptr& error) { EXPECT_FALSE(error); });
    context.run();
    EXPECT_EQ(clock.asked, Instant(7s));
}

}  // namespace
}  // namespace fencepost
