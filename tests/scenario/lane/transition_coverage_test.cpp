// Every transition of strict mode must be driven by a scenario of this program. Each scenario records the transitions
// it wrote; after the whole program none may be missing.
#include <algorithm>

#include <gtest/gtest.h>

#include "domain/tx/transition_table.hpp"
#include "support/conditions.hpp"
#include "support/driven_moves.hpp"

namespace fencepost::scenario {
namespace {

struct CoveredMove {
    Position from;
    Trigger trigger;
    const char* by;  // the scenario that covers it
};

constexpr Position at_queued{State::queued, SubState::none};
constexpr Position at_allocated{State::allocated, SubState::none};
constexpr Position at_allocated_stale{State::allocated, SubState::stale};
constexpr Position at_tracking{State::tracking, SubState::none};
constexpr Position at_tracking_stale{State::tracking, SubState::stale};
constexpr Position at_tracking_forked{State::tracking, SubState::forked};
constexpr Position at_tracking_mined{State::tracking, SubState::mined};
constexpr Position at_grey{State::unknown_submit_result, SubState::none};
constexpr Position at_tracking_cancelling{State::tracking, SubState::cancelling};
constexpr Position at_stuck{State::stuck, SubState::none};

constexpr std::array covered_moves{
    CoveredMove{at_queued, Trigger::allocate, "LaneLife"},
    CoveredMove{at_queued, Trigger::reject, "LanePrepare"},
    CoveredMove{at_allocated, Trigger::send_accepted, "LaneLife"},
    CoveredMove{at_allocated, Trigger::resubmit, "LaneReceipts.ResendsALostSendWithSameBytesAndNonce"},
    CoveredMove{at_allocated, Trigger::receipt_found, "LaneReceipts.Failure07FindsASendWithoutAnAnswerOnTheChain"},
    CoveredMove{at_allocated, Trigger::nonce_taken, "LaneTransitions.DetectsANonceTakenBeforeTheFirstSend"},
    CoveredMove{at_allocated_stale, Trigger::send_accepted, "LaneReceipts.ResendsALostSendWithSameBytesAndNonce"},
    CoveredMove{at_allocated_stale, Trigger::receipt_found, "LaneTransitions.FindsResentBytesWithoutAnAnswerInABlock"},
    CoveredMove{at_allocated_stale, Trigger::recycle, "LaneRecycle.PermanentRefusalFailsAtOnceAndReusesTheNonce"},
    CoveredMove{at_allocated_stale, Trigger::nonce_taken, "LaneTransitions.DetectsANonceTakenDuringAnOutage"},
    CoveredMove{at_tracking, Trigger::resubmit, "LaneTransitions.ResendsAnEvictedTransaction"},
    CoveredMove{at_tracking, Trigger::receipt_found, "LaneLife"},
    CoveredMove{at_tracking, Trigger::nonce_taken, "LaneTransitions.DetectsATakenNonceWhenALaggingEndpointAcceptsOurs"},
    CoveredMove{at_tracking_stale, Trigger::send_accepted, "LaneTransitions.ResendsAnEvictedTransaction"},
    CoveredMove{at_tracking_stale, Trigger::receipt_found, "LaneTransitions.ResendsAnEvictedTransaction"},
    CoveredMove{at_tracking_stale, Trigger::nonce_taken, "LaneTransitions.DetectsATakenNonceOfAStaleTransaction"},
    CoveredMove{at_tracking_forked, Trigger::send_accepted, "LaneReorg.Failure09ResendsTheSameBytesAfterAReorg"},
    CoveredMove{at_tracking_forked, Trigger::resubmit,
                "LaneTransitions.ForkedTransactionWithoutAResendAnswerIsFoundOrResent"},
    CoveredMove{at_tracking_forked, Trigger::receipt_found,
                "LaneTransitions.ForkedTransactionWithoutAResendAnswerIsFoundOrResent"},
    CoveredMove{at_tracking_forked, Trigger::nonce_taken, "LaneTransitions.DetectsANonceTakenByAReorgAndItsReversal"},
    CoveredMove{at_tracking_mined, Trigger::receipt_rolled_back, "LaneReorg.Failure09ResendsTheSameBytesAfterAReorg"},
    CoveredMove{at_tracking_mined, Trigger::receipt_found, "LaneTransitions.KeepsANewReceiptThatArrivesWithTheReorg"},
    CoveredMove{at_tracking_mined, Trigger::final_success, "LaneLife"},
    CoveredMove{at_tracking_mined, Trigger::final_revert, "LaneReorg.Failure17FailedReceiptIsProvisionalUntilItsDepth"},
    CoveredMove{at_nonce_taken, Trigger::receipt_found, "LaneTransitions.DetectsANonceTakenByAReorgAndItsReversal"},
    CoveredMove{at_nonce_taken, Trigger::external_tx_removed,
                "LaneTransitions.TakenNonceReturnsWhenAReorgRemovesTheExternalTx"},
    CoveredMove{at_nonce_taken, Trigger::external_tx_final,
                "LaneReceipts.ExternalTxAtOurNonceStopsTheSubmitterWithItsHash"},
    CoveredMove{at_queued, Trigger::cancel, "LaneCancel.Failure25CancelsAQueuedTransactionWithoutANonce"},
    CoveredMove{at_queued, Trigger::time_out, "LaneTimeout.FailOnTimeoutFillsTheNonceAndCancelsTheQueue"},
    CoveredMove{at_tracking, Trigger::abandon, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    CoveredMove{at_tracking_cancelling, Trigger::receipt_found, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    CoveredMove{at_allocated, Trigger::underfunded, "LaneUnderfunded"},
    CoveredMove{{State::allocated, SubState::underfunded}, Trigger::send_accepted, "LaneUnderfunded"},
    CoveredMove{at_tracking, Trigger::give_up, "LaneStuck.IsStuckAfterMaxAttemptsAndContinuesByDefault"},
    CoveredMove{at_stuck, Trigger::resubmit, "LaneStuck.IsStuckAfterMaxAttemptsAndContinuesByDefault"},
    CoveredMove{at_stuck, Trigger::abandon, "LaneStuck.HandedOverTransactionRestsUntilACommand"},
    CoveredMove{at_tracking, Trigger::time_out, "LaneTimeout.CountsFromTheFirstSubmitAndContinuesUnderANewOwner"},
    CoveredMove{{State::tracking, SubState::timeout},
                Trigger::receipt_found,
                "LaneTimeout.CountsFromTheFirstSubmitAndContinuesUnderANewOwner"},
    CoveredMove{{State::tracking, SubState::fee_capped},
                Trigger::receipt_found,
                "LaneReplacement.Failure03ResendsAtTheCapUntilPricesFall"},
    CoveredMove{at_tracking_mined, Trigger::final_filler_cancelled, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    CoveredMove{at_tracking_mined, Trigger::final_filler_refused,
                "LaneRefused.Failure11FillsTheNonceOfAnUnacceptableTransaction"},
    CoveredMove{at_tracking_mined, Trigger::final_filler_timed_out,
                "LaneTimeout.FailOnTimeoutFillsTheNonceAndCancelsTheQueue"},
    CoveredMove{{State::confirmed, SubState::none},
                Trigger::removed_after_final,
                "LaneReorg.Failure26FlagsAndResendsARemovedSettledTransaction"},
    CoveredMove{{State::confirmed, SubState::forked},
                Trigger::receipt_found,
                "LaneReorg.Failure26FlagsAndResendsARemovedSettledTransaction"},
    CoveredMove{at_allocated, Trigger::submit_unknown, "LaneConnector.MissingHashEntersTheGreyZoneAndBlocksTheQueue"},
    CoveredMove{at_grey, Trigger::submission_found, "LaneConnector.FindsAMinedTransactionByNonceWithinAMinute"},
    CoveredMove{at_grey, Trigger::nonce_taken, "LaneConnector.ExternalUseOfTheNonceFailsItAndStopsTheKey"},
    CoveredMove{at_grey, Trigger::abandon, "LaneConnector.GapFillerConsumesAFreeNonceAfterTheTimeOut"},
    CoveredMove{at_grey, Trigger::give_up, "LaneConnector.DisabledScanLeavesTheDecisionToAnOperator"},
    CoveredMove{{State::unknown_submit_result, SubState::cancelling},
                Trigger::send_accepted,
                "LaneConnector.GapFillerConsumesAFreeNonceAfterTheTimeOut"},
    CoveredMove{{State::unknown_submit_result, SubState::cancelling},
                Trigger::submission_found,
                "LaneConnector.GapFillerWithALostAnswerIsFoundOrRequestedAgain"},
    CoveredMove{at_nonce_taken, Trigger::submit_unknown, "LaneConnector.ReorgOfAnExternalTxReturnsItToTheGreyZone"},
    CoveredMove{{State::failed_final, SubState::none},
                Trigger::removed_after_final,
                "LaneTransitions.RemovedSettledRevertIsFlaggedUntilMinedAgain"},
    CoveredMove{{State::failed_final, SubState::forked},
                Trigger::receipt_found,
                "LaneTransitions.RemovedSettledRevertIsFlaggedUntilMinedAgain"},
};

// Transitions that are not required from every sub-state: cancelling and gap fillers, fees and funds, abandoning, the
// grey zone; relaxed mode is not covered here.
bool comes_later(const Move& move) {
    constexpr std::array later_subs{SubState::timeout, SubState::cancelling, SubState::fee_capped,
                                    SubState::underfunded};
    const auto is_later = [&](SubState sub) { return std::ranges::find(later_subs, sub) != later_subs.end(); };
    if (is_later(move.from.sub) || is_later(move.to.sub)) return true;
    if (move.from.state == State::unknown_submit_result || move.from.state == State::cancelled) return true;
    if (move.from == Position{State::stuck, SubState::none} ||
        move.from == Position{State::failed_final, SubState::nonce_taken})
        return true;
    constexpr std::array later_triggers{Trigger::cancel,
                                        Trigger::give_up,
                                        Trigger::submit_unknown,
                                        Trigger::recycle,
                                        Trigger::final_filler_cancelled,
                                        Trigger::final_filler_refused};
    return std::ranges::find(later_triggers, move.trigger) != later_triggers.end();
}

bool is_covered(const Move& move) {
    return std::ranges::any_of(covered_moves,
                               [&](const CoveredMove& s) { return s.from == move.from && s.trigger == move.trigger; });
}

TEST(LaneTransitionCoverage, ListContainsEveryStrictModeTransition) {
    for (const auto& move : allowed_moves()) {
        if (comes_later(move) || move.from == move.to) continue;
        EXPECT_TRUE(is_covered(move)) << fmt::format("{} from {}", move.trigger, move.from);
    }
    for (const auto& s : covered_moves)
        EXPECT_TRUE(fencepost::move(s.from, s.trigger).has_value()) << s.by;
}

class EveryMoveWasDriven final : public ::testing::Environment {
public:
    void TearDown() override {
        const auto& program = *::testing::UnitTest::GetInstance();
        if (program.test_to_run_count() != program.total_test_count() || program.Failed()) return;
        for (const auto& s : covered_moves) {
            const SeenMove wanted{s.from, *fencepost::move(s.from, s.trigger)};
            EXPECT_TRUE(seen_moves().contains(wanted))
                << fmt::format("{} from {} was not driven; expected in {}", s.trigger, s.from, s.by);
        }
    }
};

const auto* const every_move = ::testing::AddGlobalTestEnvironment(new EveryMoveWasDriven);

}  // namespace
}  // namespace fencepost::scenario
