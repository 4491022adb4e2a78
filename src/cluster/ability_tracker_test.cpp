#include "cluster/ability_tracker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cluster {
namespace {

using namespace std::chrono_literals;

const auto a_chain = ChainRef::evm(1);
const auto a_submitter = SubmitterId::evm(1, Address{});
constexpr Instant epoch(1h);

/// Calls relative to the start, and whether each succeeded.
struct OneCall {
    Duration at;
    bool works;
};

/// When an ability was lost and regained, checked every second.
using Changes = std::vector<std::pair<std::int64_t, bool>>;

Changes changes(const std::vector<OneCall>& calls, Duration until) {
    Hysteresis thing(epoch, AbilityOptions{});
    lane::CallRecord record;
    Changes seen;
    auto next = calls.begin();
    for (Duration now{}; now <= until; now += 1s) {
        for (; next != calls.end() && next->at <= now; ++next)
            next->works ? record.succeeded(epoch + next->at) : record.failed(epoch + next->at);
        const bool before = thing.is_able();
        thing.observe(record, epoch + now);
        if (thing.is_able() != before)
            seen.emplace_back(std::chrono::duration_cast<std::chrono::seconds>(now).count(), thing.is_able());
    }
    return seen;
}

std::vector<OneCall> every(Duration pause, Duration from, Duration until, bool works) {
    std::vector<OneCall> calls;
    for (auto at = from; at < until; at += pause)
        calls.push_back({at, works});
    return calls;
}
std::vector<OneCall> operator+(std::vector<OneCall> a, const std::vector<OneCall>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST(Hysteresis, IsLostAfterTenSecondsOfFailures) {
    EXPECT_EQ(changes(every(1s, 0s, 10s, false) + every(1s, 10s, 60s, true), 60s), Changes{});
    EXPECT_EQ(changes(every(1s, 0s, 20s, false), 20s), (Changes{{10, false}}));
}

TEST(Hysteresis, SingleFailureIsNoLoss) {
    EXPECT_EQ(changes({{0s, false}}, 10min), Changes{});
    EXPECT_EQ(changes({{0s, false}, {60s, false}}, 2min), (Changes{{60, false}}));
}

TEST(Hysteresis, IsRegainedAfterThirtySecondsOfSuccess) {
    const auto broken = every(1s, 0s, 20s, false);
    EXPECT_EQ(changes(broken + every(1s, 20s, 60s, true), 1min), (Changes{{10, false}, {50, true}}));
    EXPECT_EQ(
        changes(broken + every(1s, 20s, 40s, true) + every(1s, 40s, 41s, false) + every(1s, 41s, 2min, true), 2min),
        (Changes{{10, false}, {71, true}}))
        << "a failure starts the thirty seconds again";
}

TEST(Hysteresis, EachFurtherLossDoublesTheRegainTime) {
    const auto calls =
        every(1s, 0s, 20s, false) + every(1s, 20s, 60s, true) + every(1s, 60s, 80s, false) + every(1s, 80s, 200s, true);
    EXPECT_EQ(changes(calls, 200s), (Changes{{10, false}, {50, true}, {70, false}, {140, true}}));
}

TEST(Hysteresis, OldLossesAreForgotten) {
    const auto calls = every(1s, 0s, 20s, false) + every(1s, 20s, 2h, true) + every(1s, 2h, 2h + 20s, false) +
                       every(1s, 2h + 20s, 3h, true);
    EXPECT_EQ(changes(calls, 3h), (Changes{{10, false}, {50, true}, {7210, false}, {7250, true}}));
}

// Its lanes are elsewhere, so it is unused: after the back-off one failure is enough to lose it again.
TEST(Hysteresis, RetriesUnusedAbilityAfterADoublingBackOff) {
    const auto broken = every(1s, 0s, 11s, false);
    EXPECT_EQ(changes(broken, 10min), (Changes{{10, false}, {310, true}}));
    EXPECT_EQ(changes(broken + std::vector<OneCall>{{312s, false}}, 20min),
              (Changes{{10, false}, {310, true}, {312, false}, {912, true}}));
    EXPECT_EQ(changes(broken + std::vector<OneCall>{{312s, true}} + every(1s, 320s, 325s, false), 400s),
              (Changes{{10, false}, {310, true}}))
        << "it succeeded: losing it takes ten seconds again";
}

TEST(Hysteresis, ContinuouslyFailingAbilityIsNotRetried) {
    EXPECT_EQ(changes(every(1s, 0s, 2h, false), 2h), (Changes{{10, false}}));
}

// One answer in ten: lost at the first long run of failures, and never regained by a single success.
TEST(Hysteresis, UnreliableEndpointDoesNotFlap) {
    for (const auto pause : {Duration(100ms), Duration(1s), Duration(3s)}) {
        std::vector<OneCall> calls;
        for (int i = 0; pause * i < 30min; ++i)
            calls.push_back({pause * i, i % 10 == 9});
        EXPECT_LE(changes(calls, 30min).size(), 1U) << pause.count();
    }
}

class AbilityTrackerTest : public ::testing::Test {
protected:
    NodeAbility observe(Duration at, std::vector<lane::WorkRecord> shards, std::set<SubmitterId> without_key = {}) {
        tracker_.observe(shards, without_key, epoch + at);
        return tracker_.ability(epoch + at, UnixTime(24h) + std::chrono::floor<std::chrono::microseconds>(at));
    }
    static lane::WorkRecord with_head(std::uint64_t number, Duration at, Duration interval = 2s) {
        lane::WorkRecord record;
        record.chains[a_chain].head = {.number = BlockNumber(number), .at = epoch + at, .interval = interval};
        return record;
    }
    /// A head every interval while `alive`, checked every second; returns when it was able.
    Changes follow(Duration from, Duration until, Duration interval, bool alive) {
        Changes seen;
        for (auto now = from; now <= until; now += 1s) {
            if (alive && now - last_ >= interval) last_ = now;
            const bool able = observe(now, {with_head(1, last_, interval)}).chains.at(a_chain).ability.is_able();
            if (able != able_) seen.emplace_back(std::chrono::duration_cast<std::chrono::seconds>(now).count(), able);
            able_ = able;
        }
        return seen;
    }

    AbilityTracker tracker_{epoch, {}};
    Duration last_{};
    bool able_ = true;
};

TEST_F(AbilityTrackerTest, ChainIsAbleFromItsFirstHead) {
    lane::WorkRecord silent;
    silent.chains[a_chain] = {};
    EXPECT_EQ(observe(1s, {silent}).chains.at(a_chain).ability,
              (Ability{.cause = AbilityCause::no_head, .since = UnixTime(24h + 1s)}));
    const auto now = observe(2s, {with_head(7, 2s)}).chains.at(a_chain);
    EXPECT_EQ(now, (ChainAbility{.ability = {.since = UnixTime(24h + 2s)}, .head = BlockNumber(7)}));
}

TEST_F(AbilityTrackerTest, Failure38ChainIsLostWithoutHeadsForThreeIntervalsAndTenSeconds) {
    EXPECT_EQ(follow(0s, 30s, 2s, true), Changes{});
    EXPECT_EQ(follow(31s, 2min, 2s, false), (Changes{{50, false}})) << "at least ten seconds for short intervals";
    EXPECT_EQ(follow(121s, 3min, 2s, true), (Changes{{151, true}}));
}

TEST_F(AbilityTrackerTest, SlowChainIsLostAfterThreeOfItsIntervals) {
    EXPECT_EQ(follow(0s, 5min, 60s, true), Changes{});
    EXPECT_EQ(follow(301s, 10min, 60s, false), (Changes{{490, false}})) << "300 + 180 + 10";
}

TEST_F(AbilityTrackerTest, FailureInOneShardCountsForTheNode) {
    auto broken = with_head(1, 0s);
    for (Duration at{}; at <= 12s; at += 1s)
        broken.chains[a_chain].sends.failed(epoch + at);
    auto fine = with_head(1, 11s);
    fine.chains[a_chain].sends.succeeded(epoch + 11s);
    broken.chains[a_chain].head->at = epoch + 11s;
    const auto now = observe(12s, {fine, broken}).chains.at(a_chain).ability;
    EXPECT_EQ(now.cause, AbilityCause::send_failed);
    EXPECT_EQ(now.retry_at, UnixTime(24h + 12s + 5min)) << "unless a call succeeds sooner";
}

TEST_F(AbilityTrackerTest, FailedOpeningsLoseTheChainDespiteHeads) {
    auto work = with_head(1, 0s);
    for (Duration at{}; at <= 12s; at += 1s)
        work.chains[a_chain].answers.failed(epoch + at);
    work.chains[a_chain].head->at = epoch + 12s;
    EXPECT_EQ(observe(12s, {work}).chains.at(a_chain).ability.cause, AbilityCause::no_answer);
}

TEST_F(AbilityTrackerTest, RetriesCallsWhenHeadsReturnAfterAnOutage) {
    follow(0s, 10s, 2s, true);
    auto work = with_head(1, 10s);
    for (auto at = 11s; at <= 60s; at += 1s) {
        work.chains[a_chain].sends.failed(epoch + at);
        observe(at, {work});
    }
    for (auto at = 61s; at <= 90s; at += 1s) {
        work.chains[a_chain].head->at = epoch + at;
        EXPECT_FALSE(observe(at, {work}).chains.at(a_chain).ability.is_able());
    }
    work.chains[a_chain].head->at = epoch + 91s;
    EXPECT_TRUE(observe(91s, {work}).chains.at(a_chain).ability.is_able());
    work.chains[a_chain].sends.failed(epoch + 92s);
    EXPECT_FALSE(observe(92s, {work}).chains.at(a_chain).ability.is_able()) << "one failure is enough in a retry";
}

TEST_F(AbilityTrackerTest, ListsSignersOnlyAfterAFailure) {
    auto work = with_head(1, 0s);
    work.signers[a_submitter].failed(epoch);
    EXPECT_TRUE(observe(1s, {work}).signers.empty());
    work.signers[a_submitter].failed(epoch + 12s);
    EXPECT_EQ(observe(12s, {work}).signers.at(a_submitter).cause, AbilityCause::sign_failed);
    work.signers[a_submitter].succeeded(epoch + 20s);
    EXPECT_EQ(observe(50s, {work}).signers.at(a_submitter), (Ability{.since = UnixTime(24h + 50s)}));
}

TEST_F(AbilityTrackerTest, MissingKeyIsReportedAndClearedAtOnce) {
    EXPECT_EQ(observe(1s, {}, {a_submitter}).signers.at(a_submitter),
              (Ability{.cause = AbilityCause::no_key, .since = UnixTime(24h + 1s)}));
    EXPECT_TRUE(observe(2s, {}).signers.empty());
}

}  // namespace
}  // namespace fencepost::cluster
