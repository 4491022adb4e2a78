// Wake-ups of a single node: deduplicated, kept and bounded.
#include "store/local_wakeups.hpp"

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"

namespace fencepost::store {
namespace {

using ::testing::ElementsAre;

SubmitterId numbered(std::uint8_t number) {
    Address address;
    address.data[0] = number;
    return SubmitterId::evm(1, address);
}

class LocalWakeupsTest : public ::testing::Test {
protected:
    void run() {
        context_.restart();
        context_.poll();
    }
    void hear() {
        group_.spawn(keep_next());
        run();
    }
    Task<void> keep_next() { received_.push_back(co_await wakeups_.next()); }

    asio::io_context context_;
    LocalWakeups wakeups_{context_.get_executor()};
    std::vector<std::vector<SubmitterId>> received_;
    TaskGroup group_{context_.get_executor()};
};

TEST_F(LocalWakeupsTest, SingleNodeReceivesEachSubmitterOnce) {
    wakeups_.announce(numbered(2));
    wakeups_.announce(numbered(1));
    wakeups_.announce(numbered(2));
    hear();
    EXPECT_THAT(received_, ElementsAre(ElementsAre(numbered(1), numbered(2))));
    hear();
    EXPECT_EQ(received_.size(), 1U) << "it waits for the next one";
    wakeups_.announce(numbered(3));
    run();
    EXPECT_THAT(received_.at(1), ElementsAre(numbered(3)));
}

TEST_F(LocalWakeupsTest, CancelledWaitKeepsWakeups) {
    hear();
    group_.cancel();
    run();
    wakeups_.announce(numbered(1));
    hear();
    EXPECT_THAT(received_, ElementsAre(ElementsAre(numbered(1))));
}

TEST_F(LocalWakeupsTest, BoundsPendingWakeups) {
    for (std::size_t i = 0; i < WakeupInbox::capacity + 5; ++i) {
        Address address;
        address.data[0] = static_cast<std::uint8_t>(i);
        address.data[1] = static_cast<std::uint8_t>(i >> 8U);
        wakeups_.announce(SubmitterId::evm(1, address));
    }
    hear();
    EXPECT_EQ(received_.at(0).size(), WakeupInbox::capacity);
}

}  // namespace
}  // namespace fencepost::store
