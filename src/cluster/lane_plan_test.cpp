#include "cluster/lane_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cluster {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const NodeId us("us/1");
const NodeId them("them/2");

// The first submitter that ranks this node first.
SubmitterId placed_first_on(const NodeId& node) {
    const Placement placement({us, them});
    for (std::uint8_t i = 0;; ++i) {
        Address address;
        address.data[0] = i;
        const auto submitter = SubmitterId::evm(1, address);
        if (placement.first(submitter) == node) return submitter;
    }
}

const auto ours = placed_first_on(us);
const auto theirs = placed_first_on(them);

UnfinishedSubmitter unheld(const SubmitterId& submitter) { return {.submitter = submitter}; }
UnfinishedSubmitter held(const SubmitterId& submitter, const NodeId& by) {
    return {.submitter = submitter, .lease = Lease{.owner = by}, .held = true};
}
NodeAbility unable(std::optional<AbilityCause> cause, std::uint64_t head = 1) {
    NodeAbility ability;
    ability.chains[ChainRef::evm(1)] = {.ability = {.cause = cause}, .head = BlockNumber(head)};
    return ability;
}
NodeAbility able(std::uint64_t head = 1) { return unable(std::nullopt, head); }
lane::OpenLane serving(const SubmitterId& submitter) { return {.submitter = submitter, .serving = true}; }

class LanePlanTest : public ::testing::Test {
protected:
    /// A poll at this time after the start.
    LaneActions poll(Duration at, std::vector<UnfinishedSubmitter> unfinished, std::vector<lane::OpenLane> lanes = {}) {
        return plan_.after(
            {.at = Instant(1h + at), .lanes = std::move(lanes), .unfinished = std::move(unfinished), .peers = peers_});
    }

    bool able_ = true;
    std::vector<Peer> peers_{{them, true}, {us, true}};
    LanePlan plan_{us, [this](const SubmitterId& /*submitter*/) { return able_; }};
};

TEST_F(LanePlanTest, OpensUnheldLanesPlacedHereAtOnce) {
    EXPECT_THAT(poll(0s, {unheld(ours), unheld(theirs)}).open, ElementsAre(ours));
    EXPECT_TRUE(plan_.is_ours(ours));
    EXPECT_FALSE(plan_.is_ours(theirs));
    EXPECT_TRUE(plan_.is_placed_here(ours));
    EXPECT_FALSE(plan_.is_placed_here(theirs));
}

TEST_F(LanePlanTest, LaneIsServedHereOnlyOnceItIsOpen) {
    poll(0s, {unheld(ours)});
    EXPECT_FALSE(plan_.is_served_here(ours)) << "it is still opening";
    poll(1s, {unheld(ours)}, {{.submitter = ours}});
    EXPECT_FALSE(plan_.is_served_here(ours));
    poll(2s, {held(ours, us)}, {serving(ours)});
    EXPECT_TRUE(plan_.is_served_here(ours));
    poll(3s, {held(ours, them)});
    EXPECT_FALSE(plan_.is_served_here(ours));
}

TEST_F(LanePlanTest, DoesNotOpenLanesHeldByASilentNode) {
    peers_ = {{us, true}};
    EXPECT_THAT(poll(0s, {held(ours, them)}).open, IsEmpty());
    EXPECT_THAT(poll(10min, {held(ours, them)}).open, IsEmpty());
    EXPECT_TRUE(plan_.is_held_elsewhere(ours));
    EXPECT_THAT(poll(11min, {unheld(ours)}).open, ElementsAre(ours));
    EXPECT_FALSE(plan_.is_held_elsewhere(ours));
}

TEST_F(LanePlanTest, ReopensOwnLeaseWithoutALane) { EXPECT_THAT(poll(0s, {held(ours, us)}).open, ElementsAre(ours)); }

TEST_F(LanePlanTest, SecondRankedNodeStandsInAfterOneLeaseDuration) {
    EXPECT_THAT(poll(0s, {unheld(theirs)}).open, IsEmpty());
    EXPECT_THAT(poll(9s, {unheld(theirs)}).open, IsEmpty());
    EXPECT_THAT(poll(10s, {unheld(theirs)}).open, ElementsAre(theirs));
    EXPECT_THAT(poll(10min, {held(theirs, us)}, {serving(theirs)}).release, IsEmpty())
        << "it is not handed to the node that did not open it";
}

TEST_F(LanePlanTest, StandInTimeRestartsAfterServiceOrIdleTime) {
    poll(0s, {unheld(theirs)});
    poll(5s, {held(theirs, them)});
    EXPECT_THAT(poll(12s, {unheld(theirs)}).open, IsEmpty());
    poll(13s, {});
    EXPECT_THAT(poll(23s, {unheld(theirs)}).open, IsEmpty());
    EXPECT_THAT(poll(33s, {unheld(theirs)}).open, ElementsAre(theirs));
}

TEST_F(LanePlanTest, OpensNothingItCannotServe) {
    able_ = false;
    EXPECT_THAT(poll(0s, {unheld(ours)}).open, IsEmpty());
    EXPECT_THAT(poll(1min, {unheld(ours)}).open, IsEmpty());
    EXPECT_FALSE(plan_.is_placed_here(ours));
}

TEST_F(LanePlanTest, HandsOverToThePlacedNodeOnceItIsStable) {
    const auto step = [this](Duration at) { return poll(at, {held(theirs, us)}, {serving(theirs)}).release; };
    peers_ = {{us, true}};
    EXPECT_THAT(step(0s), IsEmpty());
    peers_ = {{them, true}, {us, true}};
    EXPECT_THAT(step(10s), IsEmpty());
    EXPECT_THAT(step(12s), IsEmpty());
    EXPECT_THAT(step(13s), ElementsAre(theirs));
    EXPECT_FALSE(plan_.is_ours(theirs));
}

TEST_F(LanePlanTest, HandsNothingToASilentNode) {
    peers_ = {{them, false}, {us, true}};
    poll(0s, {held(theirs, us)}, {serving(theirs)});
    EXPECT_THAT(poll(4s, {held(theirs, us)}, {serving(theirs)}).release, IsEmpty());
}

TEST_F(LanePlanTest, IgnoresLanesThatAreOpeningOrReleasing) {
    poll(0s, {});
    const lane::OpenLane opening{.submitter = theirs};
    const lane::OpenLane releasing{.submitter = theirs, .serving = true, .releasing = true};
    EXPECT_THAT(poll(10s, {unheld(theirs)}, {opening}).release, IsEmpty());
    EXPECT_THAT(poll(11s, {unheld(theirs)}, {releasing}).release, IsEmpty());
    EXPECT_THAT(poll(30s, {unheld(theirs)}, {releasing}).open, IsEmpty());
}

TEST_F(LanePlanTest, ReleasesIdleLanes) {
    EXPECT_THAT(poll(0s, {}, {serving(ours)}).release, IsEmpty());
    EXPECT_THAT(poll(29s, {}, {serving(ours)}).release, IsEmpty());
    EXPECT_THAT(poll(29s, {held(ours, us)}, {serving(ours)}).release, IsEmpty()) << "work came";
    EXPECT_THAT(poll(31s, {}, {serving(ours)}).release, IsEmpty());
    EXPECT_THAT(poll(61s, {}, {serving(ours)}).release, ElementsAre(ours));
}

TEST_F(LanePlanTest, RemembersLanesOpenedBetweenPolls) {
    poll(0s, {});
    plan_.open_now(ours);
    EXPECT_TRUE(plan_.is_ours(ours));
    poll(1s, {unheld(ours)}, {{.submitter = ours}});
    EXPECT_TRUE(plan_.is_ours(ours));
    poll(2s, {held(ours, them)});
    EXPECT_FALSE(plan_.is_ours(ours)) << "another node was first";
}

TEST_F(LanePlanTest, ReleasesALaneWhoseKeyWasRemoved) {
    EXPECT_THAT(poll(0s, {held(ours, us)}, {serving(ours)}).release, IsEmpty());
    able_ = false;
    EXPECT_THAT(poll(1s, {held(ours, us)}, {serving(ours)}).release, ElementsAre(ours));
    EXPECT_THAT(poll(2s, {unheld(ours)}).open, IsEmpty());
}

TEST_F(LanePlanTest, PlacesLanesOnAbleNodesOnly) {
    peers_ = {{them, true, able()}, {us, true, unable(AbilityCause::send_failed)}};
    EXPECT_THAT(poll(0s, {unheld(ours)}).open, IsEmpty());
    EXPECT_FALSE(plan_.is_placed_here(ours)) << "new work does not open it either";
    EXPECT_EQ(plan_.placed_on(ours), them);
    peers_ = {{them, true, unable(AbilityCause::send_failed)}, {us, true, able()}};
    EXPECT_THAT(poll(1s, {unheld(theirs)}).open, ElementsAre(theirs)) << "no wait for a node that is not able";
}

TEST_F(LanePlanTest, TreatsAllNodesAlikeIfNoneIsAble) {
    peers_ = {{them, true, unable(AbilityCause::no_head)}, {us, true, unable(AbilityCause::no_head)}};
    EXPECT_THAT(poll(0s, {unheld(ours), unheld(theirs)}).open, ElementsAre(ours));
    const auto steps = poll(10min, {held(ours, us), held(theirs, us)}, {serving(ours), serving(theirs)});
    EXPECT_THAT(steps.release, IsEmpty());
    EXPECT_THAT(steps.kept, UnorderedElementsAre(ours, theirs));
}

TEST_F(LanePlanTest, ReleasesALaneItIsNotAbleToServeToANodeThatIs) {
    const auto step = [this](Duration at) { return poll(at, {held(ours, us)}, {serving(ours)}); };
    peers_ = {{them, true, able()}, {us, true, able()}};
    EXPECT_THAT(step(0s).release, IsEmpty());
    peers_ = {{them, true, able()}, {us, true, unable(AbilityCause::send_failed)}};
    EXPECT_THAT(step(10s).release, ElementsAre(ours));
    EXPECT_THAT(step(11s).kept, IsEmpty());
}

TEST_F(LanePlanTest, KeepsALaneWhileTheAbleNodeIsSilentOrUnreported) {
    const auto step = [this](Duration at) { return poll(at, {held(ours, us)}, {serving(ours)}).release; };
    peers_ = {{them, false, able()}, {us, true, unable(AbilityCause::send_failed)}};
    step(0s);
    EXPECT_THAT(step(10s), IsEmpty()) << "it may have just died";
    peers_ = {{them, true, {}}, {us, true, unable(AbilityCause::send_failed)}};
    EXPECT_THAT(step(20s), IsEmpty()) << "an older version";
}

TEST_F(LanePlanTest, ReleasesWithoutHeadsOnlyToANodeWithALaterBlock) {
    const auto step = [this](Duration at) { return poll(at, {held(ours, us)}, {serving(ours)}).release; };
    peers_ = {{them, true, able(7)}, {us, true, unable(AbilityCause::no_head, 7)}};
    step(0s);
    EXPECT_THAT(step(10s), IsEmpty()) << "the chain is halted, and they have not detected it yet";
    peers_[0].ability = able(8);
    EXPECT_THAT(step(11s), ElementsAre(ours));
}

TEST_F(LanePlanTest, MissingKeyAffectsOnlyItsSubmitter) {
    auto keyless = able();
    keyless.signers[theirs] = {.cause = AbilityCause::no_key};
    peers_ = {{them, true, keyless}, {us, true, able()}};
    EXPECT_THAT(poll(0s, {unheld(theirs)}).open, ElementsAre(theirs));
    auto recovered = able();
    recovered.signers[theirs] = {};
    peers_[0].ability = recovered;
    EXPECT_THAT(poll(5s, {held(theirs, us)}, {serving(theirs)}).release, ElementsAre(theirs));
}

TEST_F(LanePlanTest, OffersAnUnservableLaneAgainToANodeThatDidNotTakeIt) {
    peers_ = {{them, true, able()}, {us, true, unable(AbilityCause::sign_failed)}};
    EXPECT_THAT(poll(0s, {unheld(theirs)}).open, IsEmpty());
    EXPECT_THAT(poll(10s, {unheld(theirs)}).open, ElementsAre(theirs)) << "they did not open it";
    EXPECT_THAT(poll(1min, {held(theirs, us)}, {serving(theirs)}).release, IsEmpty()) << "not back and forth";
    EXPECT_THAT(poll(6min, {held(theirs, us)}, {serving(theirs)}).release, ElementsAre(theirs));
}

TEST_F(LanePlanTest, DoesNotReportKeptIdleLanes) {
    peers_ = {{us, true, unable(AbilityCause::no_head)}};
    EXPECT_THAT(poll(0s, {}, {serving(ours)}).kept, IsEmpty());
    EXPECT_THAT(poll(1s, {held(ours, us)}, {serving(ours)}).kept, ElementsAre(ours))
        << "also reported by a single node";
}

TEST_F(LanePlanTest, DoesNotWaitAgainForANodeThatDidNotOpenTheLane) {
    poll(0s, {unheld(theirs)});
    ASSERT_THAT(poll(10s, {unheld(theirs)}).open, ElementsAre(theirs));
    poll(11s, {});
    EXPECT_THAT(poll(12s, {unheld(theirs)}).open, ElementsAre(theirs)) << "it did not open it before";
    poll(13s, {held(theirs, them)});
    EXPECT_THAT(poll(14s, {unheld(theirs)}).open, IsEmpty()) << "it has served it meanwhile";
    ASSERT_THAT(poll(24s, {unheld(theirs)}).open, ElementsAre(theirs));
    peers_ = {{us, true}};
    poll(25s, {});
    peers_ = {{them, true}, {us, true}};
    EXPECT_THAT(poll(26s, {unheld(theirs)}).open, IsEmpty()) << "it joined again";
}

TEST_F(LanePlanTest, JoiningNodeWithoutTheKeyCostsOneLeaseDuration) {
    const NodeId third("third/3");
    const Placement placement({us, them, third});
    std::uint8_t i = 0;
    auto last = theirs;
    do {
        Address address;
        address.data[1] = i++;
        last = SubmitterId::evm(1, address);
    } while (placement.ranked(last).back() != us);
    poll(0s, {unheld(last)});
    ASSERT_THAT(poll(10s, {unheld(last)}).open, ElementsAre(last));
    peers_ = {{them, true}, {third, true}, {us, true}};
    poll(11s, {unheld(last)});
    EXPECT_THAT(poll(20s, {unheld(last)}).open, IsEmpty());
    EXPECT_THAT(poll(21s, {unheld(last)}).open, ElementsAre(last));
}

TEST_F(LanePlanTest, ReportsUnservedWorkOnce) {
    able_ = false;
    EXPECT_THAT(poll(0s, {unheld(ours), unheld(theirs)}).unserved, IsEmpty());
    EXPECT_THAT(poll(59s, {unheld(ours), unheld(theirs)}).unserved, IsEmpty());
    EXPECT_THAT(poll(60s, {unheld(ours), unheld(theirs)}).unserved, UnorderedElementsAre(ours, theirs));
    EXPECT_THAT(poll(61s, {unheld(ours), held(theirs, them)}).unserved, IsEmpty());
    EXPECT_THAT(poll(121s, {unheld(ours), unheld(theirs)}).unserved, IsEmpty());
    EXPECT_THAT(poll(181s, {unheld(ours), unheld(theirs)}).unserved, ElementsAre(theirs)) << "it was served meanwhile";
}

}  // namespace
}  // namespace fencepost::cluster
