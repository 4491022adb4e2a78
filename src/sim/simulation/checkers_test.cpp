// Tests the checkers in isolation, for breaches that a full run cannot show: the store would refuse them, or another
// check would report first.
#include <gtest/gtest.h>

#include "sim/chain/sim_signer.hpp"
#include "sim/simulation/mutant.hpp"
#include "sim/simulation/outage_checker.hpp"
#include "sim/simulation/store_checker.hpp"
#include "sim/simulation/timeline.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

const NodeId owner_node("a");
const NodeId other_node("b");

struct Watched {
    Watched() {
        network.add_endpoint({.name = "endpoint"});
        network.ledger().fund(*alice.evm_address(), Uint256(1'000'000'000) * Uint256(1'000'000'000));
        chain.set_owner_lookup([this](const TxHash& hash) { return store.owner_of(hash); });
    }

    void see(const DatabaseEvent& event) { store.see(event); }
    TxId accept(std::uint8_t number) {
        Uuid id;
        id.data[15] = number;
        see(Accepted{owner_node.value(),
                     {TxId(id), alice, std::nullopt, {.to = to, .value = Wei(7)}},
                     {AcceptKind::accepted, TxId(id), ""},
                     world.unix_now()});
        return TxId(id);
    }
    void open(const NodeId& node, FenceToken token) {
        lease = Lease{node, token, world.unix_now(), world.unix_now() + 10s};
        see(Opened{node.value(),
                   alice,
                   {LeaseResult::taken_over, Fence{node, token}},
                   std::nullopt,
                   world.unix_now(),
                   world.unix_now()});
    }
    /// Opens the lane and sets its cursor for the first time.
    void begin() {
        open(owner_node, FenceToken(1));
        write({.submitter = alice, .fence = {owner_node, FenceToken(1)}, .cursor = CursorMove{std::nullopt, Nonce(0)}});
    }
    void write(LaneWrite write) {
        const auto now = world.unix_now();
        see(Committed{write.fence.node.value(), std::move(write), WriteAnswer::applied, now, now, lease, now});
    }
    void release(const Fence& fence, const std::optional<Lease>& after) {
        see(Released{fence.node.value(), {alice, fence}, lease, after, world.unix_now()});
    }
    SignedTransaction send(std::uint64_t nonce) {
        const Wei fee(Uint256(10'000'000'000));
        auto made = signer.sign_now({.from = alice,
                                     .nonce = Nonce(nonce),
                                     .to = to,
                                     .value = Wei(7),
                                     .data = {},
                                     .gas_limit = Gas(21'000),
                                     .fees = DynamicFee{fee, Wei(1)}});
        EXPECT_EQ(network.inject(made.raw).outcome, SendOutcome::accepted);
        return made;
    }
    /// The transaction gets that nonce, with these bytes.
    TxUpdate allocation(TxId tx, std::uint64_t nonce, const SignedTransaction& made) {
        const auto& bytes = **network.ledger().cache().decode(made.raw).decoded;
        return {.tx = tx,
                .expected = {State::queued},
                .to = {State::allocated},
                .nonce = Nonce(nonce),
                .attempts = {{.nonce = Nonce(nonce),
                              .hash = made.hash,
                              .raw = made.raw,
                              .fees = bytes.fees,
                              .gas_limit = bytes.gas_limit}}};
    }
    [[nodiscard]] std::string broken_law() const { return violations.violation() ? violations.violation()->law : ""; }

    const std::string to = "0x00000000000000000000000000000000000000aa";
    World world{1};
    SimNetwork network{world};
    SimSigner signer{network.ledger().options().chain_id, 1, &network.ledger().cache()};
    SubmitterId alice = signer.submitter(0);
    ViolationRecorder violations{[] {}};
    ChainChecker chain{world, network, violations};
    StoreChecker store{world, chain, {}, violations};
    std::optional<Lease> lease;
};

const Fence first_fence{owner_node, FenceToken(1)};
const Fence second_fence{other_node, FenceToken(2)};

TEST(Checkers, ReportAnInvalidStateTransition) {
    for (const auto to : {Position{State::rejected}, Position{State::tracking}}) {
        Watched watched;
        watched.open(owner_node, first_fence.token);
        const auto tx = watched.accept(1);
        watched.write({.submitter = watched.alice,
                       .fence = first_fence,
                       .transactions = {{.tx = tx, .expected = {State::queued}, .to = to}}});
        EXPECT_EQ(watched.broken_law(), to.state == State::tracking ? "states move along the table" : "");
    }
}

TEST(Checkers, ReportAnIntentExecutedTwice) {
    Watched watched;
    watched.begin();
    const auto one = watched.accept(1);
    const auto two = watched.accept(2);
    const auto bytes_one = watched.send(0);
    const auto bytes_two = watched.send(1);
    watched.write({.submitter = watched.alice,
                   .fence = first_fence,
                   .cursor = CursorMove{Nonce(0), Nonce(2)},
                   .transactions = {watched.allocation(one, 0, bytes_one), watched.allocation(two, 1, bytes_two)}});
    ASSERT_EQ(watched.broken_law(), "");
    watched.network.mine();
    watched.chain.update();
    ASSERT_EQ(watched.broken_law(), "law 3: an intent is executed once");
    EXPECT_EQ(watched.violations.violation()->subject, Subject(two));
    EXPECT_NE(watched.violations.violation()->what.find(one.value().to_string()), std::string::npos);
}

// One receipt from the block, one made up by the node.
TEST(Checkers, ReportAFalseReceipt) {
    for (const bool is_true : {true, false}) {
        Watched watched;
        watched.begin();
        const auto tx = watched.accept(1);
        const auto bytes = watched.send(0);
        watched.write({.submitter = watched.alice,
                       .fence = first_fence,
                       .cursor = CursorMove{Nonce(0), Nonce(1)},
                       .transactions = {watched.allocation(tx, 0, bytes)}});
        auto receipt = watched.network.mine().receipts.at(0);
        if (!is_true) receipt.succeeded = !receipt.succeeded;
        watched.write({.submitter = watched.alice,
                       .fence = first_fence,
                       .transactions = {{.tx = tx,
                                         .expected = {State::allocated},
                                         .to = {State::tracking, SubState::mined},
                                         .receipt = receipt}}});
        EXPECT_EQ(watched.broken_law(), is_true ? "" : "a receipt is the chain's");
    }
}

TEST(Checkers, ReportASkippedNonce) {
    Watched watched;
    watched.open(owner_node, first_fence.token);
    watched.write({.submitter = watched.alice, .fence = first_fence, .cursor = CursorMove{std::nullopt, Nonce(3)}});
    EXPECT_EQ(watched.broken_law(), "");
    watched.write({.submitter = watched.alice, .fence = first_fence, .cursor = CursorMove{Nonce(3), Nonce(4)}});
    EXPECT_EQ(watched.broken_law(), "law 4: no nonce is left unused");
    EXPECT_EQ(watched.violations.violation()->subject, Subject(watched.alice)) << "no transaction can be named";
}

TEST(Checkers, ReportBytesOfAnotherIntent) {
    Watched watched;
    watched.begin();
    const auto tx = watched.accept(1);
    auto asked = watched.allocation(tx, 0, watched.send(0));
    asked.attempts[0] = watched
                            .allocation(tx, 0,
                                        watched.signer.sign_now({.from = watched.alice,
                                                                 .nonce = Nonce(0),
                                                                 .to = watched.to,
                                                                 .value = Wei(8),
                                                                 .data = {},
                                                                 .gas_limit = Gas(21'000),
                                                                 .fees = asked.attempts[0].fees}))
                            .attempts[0];
    watched.write({.submitter = watched.alice,
                   .fence = first_fence,
                   .cursor = CursorMove{Nonce(0), Nonce(1)},
                   .transactions = {asked}});
    EXPECT_EQ(watched.broken_law(), "law 3: a nonce carries one intent, or a gap filler");
}

// A write outside a lane's batches, such as the reservation of a shared key's nonce: only its fence can be checked.
TEST(Checkers, ReportAStaleFenceOutsideALanesBatches) {
    Watched watched;
    watched.open(owner_node, first_fence.token);
    watched.write({.submitter = watched.alice, .fence = first_fence});
    EXPECT_EQ(watched.broken_law(), "");
    watched.open(other_node, second_fence.token);
    watched.write({.submitter = watched.alice, .fence = first_fence});
    EXPECT_EQ(watched.broken_law(), "law 1: no write under a stale fence");
}

TEST(Checkers, ReportAReleaseOfAnothersLease) {
    for (const bool is_changed : {false, true}) {
        Watched watched;
        watched.open(other_node, second_fence.token);
        auto after = watched.lease;
        if (is_changed) after->expires_at = released_at;
        watched.release(first_fence, after);
        EXPECT_EQ(watched.broken_law(), is_changed ? "law 1: only its owner releases a lease" : "");
    }
}

TEST(Checkers, AcceptAReleaseByTheOwner) {
    Watched watched;
    watched.open(owner_node, first_fence.token);
    watched.release(first_fence, release_lease(watched.lease, first_fence));
    EXPECT_EQ(watched.broken_law(), "");
}

TEST(Checkers, ReportLanesHandedOverWhileNoNodeCanWork) {
    const auto key = SubmitterId::evm(1, {});
    World world{1};
    ViolationRecorder violations([] {});
    bool has_work = true;
    OutageChecker checker(world, [&](const SubmitterId&) { return has_work; }, violations);
    const auto hand_over = [&](LeaseResult result = LeaseResult::taken_over) {
        checker.see(Released{"a", {key, first_fence}, std::nullopt, std::nullopt, {}});
        checker.see(Opened{"b", key, {result, first_fence}, std::nullopt, {}, {}});
        checker.see(Opened{"c", key, {LeaseResult::busy, std::nullopt}, std::nullopt, {}, {}});
    };
    for (int i = 0; i < 5; ++i)
        hand_over();
    EXPECT_TRUE(violations.is_clean()) << "no outage has begun";
    checker.begin(OutageChecker::max_openings(2));
    hand_over(LeaseResult::inserted);
    has_work = false;
    for (int i = 0; i < 5; ++i)
        hand_over();
    has_work = true;
    for (int i = 0; i < 3; ++i)
        hand_over();
    EXPECT_TRUE(violations.is_clean());
    hand_over();
    ASSERT_FALSE(violations.is_clean());
    EXPECT_TRUE(is_breach_of(Mutant::lanes_handed_over_repeatedly, violations.violation()->law));
}

TEST(LaneTimeline, RecordsOpeningsAndWritesWithTheirTokens) {
    const auto alice = SubmitterId::evm(1, {});
    Timeline timeline{Subject(alice)};
    const UnixTime now{};
    timeline.see(Instant{}, Opened{"a", alice, {LeaseResult::inserted, first_fence}, std::nullopt, now, now});
    timeline.see(Instant{},
                 Opened{"a", SubmitterId::evm(2, {}), {LeaseResult::inserted, first_fence}, std::nullopt, now, now});
    const LaneWrite write{.submitter = alice, .fence = first_fence, .cursor = CursorMove{std::nullopt, Nonce(3)}};
    timeline.see(Instant{}, Committed{"a", write, WriteAnswer::applied, now, now, std::nullopt, now});
    timeline.see(Instant{}, Released{"a", {alice, first_fence}, std::nullopt, std::nullopt, now});
    ASSERT_EQ(timeline.lines().size(), 3U) << "other lanes are left out";
    EXPECT_NE(timeline.lines()[0].find("a: lane inserted, token 1"), std::string::npos);
    EXPECT_NE(timeline.lines()[1].find("applied under token 1, cursor to 3"), std::string::npos);
    EXPECT_NE(timeline.lines()[2].find("released under token 1"), std::string::npos);
}

}  // namespace
}  // namespace fencepost::sim
