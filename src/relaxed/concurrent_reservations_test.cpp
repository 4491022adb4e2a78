// Concurrent callers of one shared key, with a slow chain, a failing store and external use, all drawn from a seed: no
// nonce ever has two holders.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "relaxed/test_source.hpp"

namespace fencepost::relaxed {
namespace {

using Fault = FaultyNonces::Fault;

// Time-outs are long here, so a holder keeps its nonce until it releases it.
class ConcurrentCallers : public SourceTest {
public:
    explicit ConcurrentCallers(std::uint64_t seed) : SourceTest(seed), random_(seed) {}
    void TestBody() override {}

    void live_through() {
        for (int round = 0; round < 4; ++round) {
            chain_.offline = false;
            nonces_.next = Fault::none;
            open({.nonce_state_timeout = random_.below(2) == 0 ? Duration(0s) : Duration(1min)});
            for (std::uint64_t caller = 0; caller < callers; ++caller)
                world_.spawn(node_, call(caller));
            world_.run_for(10s);
        }
    }

    static constexpr std::uint64_t callers = 12;
    std::uint64_t given = 0;
    std::vector<std::string> violations;

private:
    Task<void> call(std::uint64_t caller) {
        const LockOwner owner(std::to_string(caller));
        for (int i = 0; i < 5; ++i) {
            if (i > 0) disturb();
            const auto nonce = co_await source_->reserve(owner);
            if (!nonce) continue;
            ++given;
            take_note(*nonce);
            co_await clock_.sleep_for(std::chrono::milliseconds(random_.below(200)));
            if (random_.below(3) != 0) continue;
            holders_.erase(*nonce);  // before the commit: afterwards it may have another holder
            std::ignore = co_await source_->give_back(owner, *nonce, "refused");
        }
    }

    void take_note(Nonce nonce) {
        if (!holders_.insert(nonce).second) violations.push_back(fmt::format("{} was allocated twice", nonce));
    }

    void disturb() {
        chain_.slow = std::chrono::milliseconds(random_.below(50));
        nonces_.slow = std::chrono::milliseconds(random_.below(50));
        chain_.offline = random_.below(10) == 0;
        switch (random_.below(60)) {
            case 0:
                nonces_.next = Fault::before_commit;
                break;
            case 1:
                nonces_.next = Fault::busy;
                break;
            case 2:
                nonces_.next = Fault::after_commit;
                break;
            case 3:
                chain_.pending += random_.below(3);  // external
                break;
            default:
                break;
        }
    }

    sim::SeededRandom random_;
    std::set<Nonce> holders_;
};

class ThousandTest : public SourceTest {
protected:
    Task<void> ask(std::string owner) { given_.insert((co_await source_->reserve(LockOwner(owner))).value()); }
    std::set<Nonce> given_;
};

TEST_F(ThousandTest, ThousandConcurrentCallersNeedOneChainQuery) {
    chain_.mine_up_to(17);
    chain_.slow = 10ms;
    for (int i = 0; i < 1000; ++i)
        world_.spawn(node_, ask(std::to_string(i)));
    world_.run_for(1min);
    EXPECT_EQ(given_.size(), 1000U);
    EXPECT_EQ(*given_.begin(), Nonce(17));
    EXPECT_EQ(*given_.rbegin(), Nonce(1016));
    EXPECT_EQ(chain_.asked, 1U);
}

TEST_F(ThousandTest, ZeroTimeOutQueriesTheChainForEachCaller) {
    open({.nonce_state_timeout = 0s});
    for (int i = 0; i < 10; ++i)
        world_.spawn(node_, ask(std::to_string(i)));
    world_.run_for(0s);
    EXPECT_EQ(given_.size(), 10U);
    EXPECT_EQ(chain_.asked, 10U);
}

RC_GTEST_PROP(ConcurrentReservations, NoNonceHasTwoHoldersDespiteFailures, (std::uint64_t seed)) {
    ConcurrentCallers crowd(seed);
    crowd.live_through();
    RC_ASSERT(crowd.violations == std::vector<std::string>{});
    RC_ASSERT(crowd.given > 0U);
}

}  // namespace
}  // namespace fencepost::relaxed
