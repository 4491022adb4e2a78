// The prepare step: only certain failures are rejected, and no failure here costs a nonce.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

Address token_contract(LaneScenario& scenario) {
    Address contract;
    contract.data.fill(7);
    scenario.network.ledger().add_contract(contract, sim::needs_approval());
    return contract;
}

// An account with the given balance.
SubmitterId with_funds(LaneScenario& scenario, const Uint256& amount) {
    const auto submitter = scenario.signer.submitter(9);
    scenario.network.ledger().fund(*submitter.evm_address(), amount);
    return submitter;
}

void expect_rejected(LaneScenario& scenario, TxId tx, Refusal refusal, const std::string& reason = "") {
    const auto view = scenario.view(tx);
    EXPECT_EQ(view.position.state, State::rejected);
    EXPECT_THAT(view.error, HasSubstr(name_of(refusal)));
    EXPECT_THAT(view.error, HasSubstr(reason));
    EXPECT_EQ(view.nonce, std::nullopt) << "it cost no nonce";
}

TEST(LanePrepare, Failure31SendsADependentTransactionBehindItsPredecessor) {
    LaneScenario scenario;
    const auto token = token_contract(scenario);
    scenario.set_mining(false);
    scenario.start("a");
    const auto approve = scenario.accept(scenario.alice, LaneScenario::call(token, sim::approve_call()));
    ASSERT_TRUE(run_until_tracking(scenario, approve, 1min));
    const auto transfer = scenario.accept(scenario.alice, LaneScenario::call(token, sim::transfer_from_call()));
    ASSERT_TRUE(run_until_tracking(scenario, transfer, 1min)) << "simulated on top of what is in flight";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(transfer), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, Failure31WaitsIfARevertMayDependOnAPredecessor) {
    LaneScenario scenario;
    const auto token = token_contract(scenario);
    scenario.start("a");
    scenario.accept(scenario.alice, LaneScenario::call(token, sim::approve_call()));
    const auto transfer = scenario.accept(scenario.alice, LaneScenario::call(token, sim::transfer_from_call()));
    const auto behind = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(transfer), State::confirmed);
    EXPECT_GT(scenario.view(behind).nonce, scenario.view(transfer).nonce) << "the order is preserved";
    scenario.expect_lawful();
}

TEST(LanePrepare, Failure31RejectsACertainRevertWithItsReason) {
    LaneScenario scenario;
    const auto token = token_contract(scenario);
    scenario.start("a");
    const auto bad = scenario.accept(scenario.alice, LaneScenario::call(token, sim::transfer_from_call()));
    const auto next = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, bad, Refusal::revert, sim::no_allowance);
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.telemetry.of(Counter::finality, "REJECTED"), 1U);
    scenario.expect_lawful();
}

TEST(LanePrepare, CallersGasLimitSkipsTheSimulation) {
    LaneScenario scenario;
    const auto token = token_contract(scenario);
    auto& node = scenario.start("a");
    auto intent = LaneScenario::call(token, sim::transfer_from_call());
    intent.gas_limit = Gas(123'456);
    const auto tx = scenario.accept(scenario.alice, intent);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    EXPECT_EQ(node.chain().estimates(), 0U);
    EXPECT_EQ(scenario.get(scenario.store->attempts(tx)).value().at(0).gas_limit, Gas(123'456));
}

TEST(LanePrepare, ShortfallWithPredecessorsInFlightWaits) {
    LaneScenario scenario;
    // Enough for one at a time: the gap filler's cost of 0.0105 ether is reserved for each nonce.
    const auto poor = with_funds(scenario, ether / Uint256(50));
    scenario.start("a");
    const auto ids = scenario.accept(poor, 3);
    ASSERT_TRUE(run_until_tracking(scenario, ids[0], 1min));
    EXPECT_EQ(scenario.state(ids[1]), State::queued) << "the gap filler reserve of the first is not spent";
    ASSERT_TRUE(scenario.run_until_settled());
    for (const auto id : ids)
        EXPECT_EQ(scenario.state(id), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, ShortfallWithoutPredecessorsIsRejected) {
    LaneScenario scenario;
    const auto poor = with_funds(scenario, ether / Uint256(50));
    scenario.start("a");
    auto dear = LaneScenario::transfer(1);
    dear.value = Wei(ether);
    const auto too_much = scenario.accept(poor, dear);
    const auto next = scenario.accept(poor);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, too_much, Refusal::insufficient_funds);
    EXPECT_EQ(scenario.state(next), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, NoNonceIfTheAccountCannotPayForAGapFiller) {
    LaneScenario scenario;
    // The transfer itself would cost a tenth of this.
    const auto poor = with_funds(scenario, ether / Uint256(100));
    scenario.start("a");
    const auto tx = scenario.accept(poor);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, tx, Refusal::insufficient_funds, "filler");
}

TEST(LanePrepare, RejectsExpiredIntentsInTheQueue) {
    LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3}});
    scenario.set_mining(false);
    scenario.start("a");
    scenario.run_for(1s);
    auto past = LaneScenario::transfer(1);
    past.valid_until = scenario.world.unix_now() - 1s;
    const auto late = scenario.accept(scenario.alice, past);
    const auto first = scenario.accept(scenario.alice);
    auto soon = LaneScenario::transfer(2);
    soon.valid_until = scenario.world.unix_now() + 20s;
    const auto waits = scenario.accept(scenario.alice, soon);
    ASSERT_TRUE(run_until_tracking(scenario, first, 1min));
    expect_rejected(scenario, late, Refusal::expired);

    scenario.run_for(30s);  // the window is full the whole time
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, waits, Refusal::expired);
    scenario.expect_lawful();
}

TEST(LanePrepare, NeverSendsAnIntentThatExpiresDuringSigning) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.builder().delay(5s);
    auto soon = LaneScenario::transfer(1);
    soon.valid_until = scenario.world.unix_now() + 4s;
    const auto stale = scenario.accept(scenario.alice, soon);
    const auto next = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, stale, Refusal::expired);
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    scenario.expect_lawful();
}

TEST(LanePrepare, RejectsAFeeAboveTheCap) {
    LaneScenario scenario;
    scenario.start("a");
    auto dear = LaneScenario::transfer(1);
    dear.fee = Fees(LegacyFee{Wei(Uint256(501 * gwei))});
    const auto tx = scenario.accept(scenario.alice, dear);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, tx, Refusal::invalid_input, "above the cap");
}

TEST(LanePrepare, UnreachableChainRejectsNothing) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    const auto first = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->set_down(true);
    const auto asked = node.chain().balance_calls();
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(1min);
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_LT(node.chain().balance_calls() - asked, 20U) << "it does not ask in a tight loop";
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->set_down(false);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.state(first), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, OnFailureStopPausesAfterARejection) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .on_failure = lane::OnFailure::stop}});
    const auto token = token_contract(scenario);
    scenario.start("a");
    const auto bad = scenario.accept(scenario.alice, LaneScenario::call(token, sim::transfer_from_call()));
    const auto next = scenario.accept(scenario.alice);
    scenario.run_for(20s);
    expect_rejected(scenario, bad, Refusal::revert);
    EXPECT_EQ(scenario.state(next), State::queued);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::paused);
    EXPECT_THAT(scenario.submitter(scenario.alice).status.reason, HasSubstr(sim::no_allowance));

    scenario.post(CommandKind::resume, scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(next), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, OnFailureStopAppliesToTheSignedBatch) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .on_failure = lane::OnFailure::stop}});
    auto& node = scenario.start("a");
    node.builder().fail([](const Intent& intent) -> std::optional<lane::BuildError> {
        if (intent.value != Wei(2)) return std::nullopt;
        return lane::BuildError{"cannot be made"};
    });
    const auto ids = scenario.accept(scenario.alice, 3);
    scenario.run_for(20s);
    EXPECT_EQ(scenario.state(ids[0]), State::confirmed);
    expect_rejected(scenario, ids[1], Refusal::invalid_input);
    EXPECT_EQ(scenario.state(ids[2]), State::queued);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::paused);
}

TEST(LanePrepare, OnFailureStopPausesAfterARevertAndContinueDoesNot) {
    for (const auto policy : {lane::OnFailure::stop, lane::OnFailure::go_on}) {
        LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3, .on_failure = policy}});
        const auto token = token_contract(scenario);
        scenario.start("a");
        auto intent = LaneScenario::call(token, sim::transfer_from_call());
        intent.gas_limit = Gas(100'000);
        const auto bad = scenario.accept(scenario.alice, intent);
        ASSERT_TRUE(scenario.run_until([&] { return is_final(scenario.state(bad)); }));
        EXPECT_EQ(scenario.state(bad), State::failed_final);
        const auto stops = policy == lane::OnFailure::stop;
        EXPECT_EQ(scenario.offer(scenario.alice, LaneScenario::transfer(1)).kind,
                  stops ? AcceptKind::submitter_paused : AcceptKind::accepted);
    }
}

TEST(LanePrepare, SignerOutageKeepsTransactionsAndOrder) {
    LaneScenario scenario;
    scenario.signer.fail_after(2, {SignError::Kind::unavailable, "the HSM restarts"});
    scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 5);
    scenario.run_for(1min);
    EXPECT_EQ(scenario.state(ids[1]), State::confirmed);
    EXPECT_EQ(scenario.state(ids[2]), State::queued);
    scenario.signer.fail(std::nullopt);
    ASSERT_TRUE(scenario.run_until_settled());
    for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_EQ(scenario.view(ids[i]).nonce, Nonce(i));
    scenario.expect_lawful();
}

TEST(LanePrepare, SignerRefusalRejectsAndReusesTheNonce) {
    LaneScenario scenario;
    scenario.signer.fail(SignError{SignError::Kind::refused, "not on the list of receivers"});
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, refused, Refusal::invalid_signature, "list of receivers");
    scenario.signer.fail(std::nullopt);
    const auto next = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    scenario.expect_lawful();
}

TEST(LanePrepare, PermanentBuilderErrorCostsNoNonce) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.builder().fail([](const Intent& intent) -> std::optional<lane::BuildError> {
        if (intent.value != Wei(2)) return std::nullopt;
        return lane::BuildError{"cannot be made"};
    });
    const auto ids = scenario.accept(scenario.alice, 4);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected(scenario, ids[1], Refusal::invalid_input, "cannot be made");
    EXPECT_EQ(scenario.view(ids[2]).nonce, Nonce(1));
    EXPECT_EQ(scenario.view(ids[3]).nonce, Nonce(2));
    scenario.expect_lawful();
}

TEST(LanePrepare, TemporaryBuilderErrorIsRetriedInOrder) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    std::size_t failures = 0;
    node.builder().fail([&](const Intent& intent) -> std::optional<lane::BuildError> {
        if (intent.value != Wei(2) || ++failures > 3) return std::nullopt;
        return lane::BuildError{"its service is away", false};
    });
    const auto ids = scenario.accept(scenario.alice, 4);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(failures, 4U);
    for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_EQ(scenario.view(ids[i]).nonce, Nonce(i));
    scenario.expect_lawful();
}

TEST(LanePrepare, RejectsInvalidBuilderResultsWithoutANonce) {
    struct Case {
        Refusal refusal;
        const char* why;
        void (*change)(UnsignedTransaction&);
    };
    const Case cases[] = {
        {Refusal::invalid_input, "sender or the nonce", [](auto& tx) { tx.nonce = tx.nonce.next(); }},
        {Refusal::invalid_input, "above the cap", [](auto& tx) { tx.fees = LegacyFee{Wei(Uint256(501 * gwei))}; }},
        {Refusal::insufficient_funds, "cannot pay", [](auto& tx) { tx.value = Wei(ether * 1'001); }},
    };
    for (const auto& [refusal, why, change] : cases) {
        LaneScenario scenario;
        auto& node = scenario.start("a");
        node.builder().change([change](UnsignedTransaction& tx) {
            if (tx.value == Wei(2)) change(tx);
        });
        const auto bad = scenario.accept(scenario.alice, LaneScenario::transfer(2));
        ASSERT_TRUE(scenario.run_until_settled()) << why;
        expect_rejected(scenario, bad, refusal, why);
        EXPECT_EQ(scenario.log.has(Severity::alert, "Builder changed"),
                  refusal == Refusal::invalid_input && change == cases[0].change);
        const auto good = scenario.accept(scenario.alice, LaneScenario::transfer(1));
        ASSERT_TRUE(scenario.run_until_settled());
        EXPECT_EQ(scenario.view(good).nonce, Nonce(0));
        scenario.expect_lawful();
    }
}

TEST(LanePrepare, NodeWithoutTheKeyRejectsNothing) {
    LaneScenario scenario;
    auto& keyless = scenario.start("a", scenario.setup, false);
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(30s);
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "no key")) << scenario.log.text();
    keyless.release();
    ASSERT_TRUE(scenario.run_until([&] { return keyless.is_released(); }));
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LanePrepare, OutdatedQueueReadDoesNotPrepareAgain) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.store().delay_queue_reads(300ms);
    for (std::size_t i = 0; i < 20; ++i) {
        scenario.accept(scenario.alice);
        node.host().wake(scenario.alice);
        scenario.run_for(150ms);
    }
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.telemetry.of(Counter::lease_acquire, "reopened"), 0U) << "no conflict with the database";
    scenario.expect_lawful();
}

// Prepared, and waiting for a signer that is unavailable.
TxId prepare_and_wait(LaneScenario& scenario, Duration how_long) {
    scenario.signer.fail(SignError{SignError::Kind::unavailable, "the HSM restarts"});
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(how_long);
    return tx;
}

TEST(LanePrepare, PricesAgainBeforeSigningWhenTheBaseFeeRose) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    const auto tx = prepare_and_wait(scenario, 3s);
    EXPECT_EQ(node.chain().estimates(), 1U);
    const Wei base_fee(Uint256(100 * gwei));
    scenario.network.ledger().set_next_base_fee(base_fee);
    scenario.run_for(3s);
    scenario.signer.fail(std::nullopt);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_GT(max_fee(scenario.get(scenario.store->attempts(tx)).value().at(0).fees), base_fee);
    EXPECT_EQ(node.chain().estimates(), 2U) << "once";
    scenario.expect_lawful();
}

TEST(LanePrepare, PreparesAgainAfterThePriceExpired) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    prepare_and_wait(scenario, 50s);
    EXPECT_EQ(node.chain().estimates(), 1U);
    scenario.run_for(20s);
    scenario.signer.fail(std::nullopt);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(node.chain().estimates(), 2U);
    scenario.accept(scenario.alice, 5);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(node.chain().estimates(), 7U) << "a transaction that does not wait is prepared once";
    scenario.expect_lawful();
}

TEST(LanePrepare, DoesNotRequeryCallerOrCapPrices) {
    for (const bool capped : {false, true}) {
        LaneScenario scenario({.lane = {.confirmations_required = 3, .fee_cap = Wei(Uint256(3 * gwei))}});
        auto& node = scenario.start("a");
        auto intent = LaneScenario::transfer(1);
        if (!capped) intent.fee = Fees(DynamicFee{Wei(Uint256(2 * gwei)), Wei(Uint256(gwei))});
        scenario.signer.fail(SignError{SignError::Kind::unavailable, "the HSM restarts"});
        scenario.accept(scenario.alice, intent);
        scenario.run_for(3s);
        scenario.network.ledger().set_next_base_fee(Wei(Uint256(100 * gwei)));
        scenario.run_for(40s);
        EXPECT_EQ(node.chain().estimates(), 1U);
    }
}

}  // namespace
}  // namespace fencepost::scenario
