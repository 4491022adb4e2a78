// Every transition of strict mode must be driven by a scenario of this program. Each scenario records the transitions
// it wrote; after the whole program none may be missing.
#include <algorithm>

#include <gtest/gtest.h>

#include "domain/tx/transition_table.hpp"
#include "support/seen_moves.hpp"
#include "support/waiting.hpp"

namespace fencepost::scenario {
namespace {

struct Shown {
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

constexpr std::array shown_moves{
    Shown{at_queued, Trigger::allocate, "LaneLife"},
    Shown{at_queued, Trigger::reject, "LanePrepare"},
    Shown{at_allocated, Trigger::send_accepted, "LaneLife"},
    Shown{at_allocated, Trigger::resubmit, "LaneReceipts.ResendsALostSendWithSameBytesAndNonce"},
    Shown{at_allocated, Trigger::receipt_found, "LaneReceipts.Failure07FindsASendWithoutAnAnswerOnTheChain"},
    Shown{at_allocated, Trigger::nonce_taken, "LaneMoves.DetectsANonceTakenBeforeTheFirstSend"},
    Shown{at_allocated_stale, Trigger::send_accepted, "LaneReceipts.ResendsALostSendWithSameBytesAndNonce"},
    Shown{at_allocated_stale, Trigger::receipt_found, "LaneMoves.FindsResentBytesWithoutAnAnswerInABlock"},
    Shown{at_allocated_stale, Trigger::recycle, "LaneRecycle.PermanentRefusalFailsAtOnceAndReusesTheNonce"},
    Shown{at_allocated_stale, Trigger::nonce_taken, "LaneMoves.DetectsANonceTakenDuringAnOutage"},
    Shown{at_tracking, Trigger::resubmit, "LaneMoves.ResendsAnEvictedTransaction"},
    Shown{at_tracking, Trigger::receipt_found, "LaneLife"},
    Shown{at_tracking, Trigger::nonce_taken, "LaneMoves.DetectsATakenNonceWhenALaggingEndpointAcceptsOurs"},
    Shown{at_tracking_stale, Trigger::send_accepted, "LaneMoves.ResendsAnEvictedTransaction"},
    Shown{at_tracking_stale, Trigger::receipt_found, "LaneMoves.ResendsAnEvictedTransaction"},
    Shown{at_tracking_stale, Trigger::nonce_taken, "LaneMoves.DetectsATakenNonceOfAStaleTransaction"},
    Shown{at_tracking_forked, Trigger::send_accepted, "LaneReorg.Failure09ResendsTheSameBytesAfterAReorg"},
    Shown{at_tracking_forked, Trigger::resubmit, "LaneMoves.ForkedTransactionWithoutAResendAnswerIsFoundOrResent"},
    Shown{at_tracking_forked, Trigger::receipt_found, "LaneMoves.ForkedTransactionWithoutAResendAnswerIsFoundOrResent"},
    Shown{at_tracking_forked, Trigger::nonce_taken, "LaneMoves.DetectsANonceTakenByAReorgAndItsReversal"},
    Shown{at_tracking_mined, Trigger::receipt_rolled_back, "LaneReorg.Failure09ResendsTheSameBytesAfterAReorg"},
    Shown{at_tracking_mined, Trigger::receipt_found, "LaneMoves.KeepsANewReceiptThatArrivesWithTheReorg"},
    Shown{at_tracking_mined, Trigger::final_success, "LaneLife"},
    Shown{at_tracking_mined, Trigger::final_revert, "LaneReorg.Failure17FailedReceiptIsProvisionalUntilItsDepth"},
    Shown{at_taken, Trigger::receipt_found, "LaneMoves.DetectsANonceTakenByAReorgAndItsReversal"},
    Shown{at_taken, Trigger::foreign_removed, "LaneMoves.TakenNonceReturnsWhenAReorgRemovesTheExternalTx"},
    Shown{at_taken, Trigger::foreign_final, "LaneReceipts.ExternalTxAtOurNonceStopsTheSubmitterWithItsHash"},
    Shown{at_queued, Trigger::cancel, "LaneCancel.Failure25CancelsAQueuedTransactionWithoutANonce"},
    Shown{at_queued, Trigger::time_out, "LaneTimeout.FailOnTimeoutFillsTheNonceAndCancelsTheQueue"},
    Shown{at_tracking, Trigger::abandon, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    Shown{at_tracking_cancelling, Trigger::receipt_found, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    Shown{at_allocated, Trigger::underfunded, "LaneUnderfunded"},
    Shown{{State::allocated, SubState::underfunded}, Trigger::send_accepted, "LaneUnderfunded"},
    Shown{at_tracking, Trigger::give_up, "LaneStuck.IsStuckAfterMaxAttemptsAndContinuesByDefault"},
    Shown{at_stuck, Trigger::resubmit, "LaneStuck.IsStuckAfterMaxAttemptsAndContinuesByDefault"},
    Shown{at_stuck, Trigger::abandon, "LaneStuck.HandedOverTransactionRestsUntilACommand"},
    Shown{at_tracking, Trigger::time_out, "LaneTimeout.CountsFromTheFirstSubmitAndContinuesUnderANewOwner"},
    Shown{{State::tracking, SubState::timeout},
          Trigger::receipt_found,
          "LaneTimeout.CountsFromTheFirstSubmitAndContinuesUnderANewOwner"},
    Shown{{State::tracking, SubState::fee_capped},
          Trigger::receipt_found,
          "LaneSameNonce.Failure03ResendsAtTheCapUntilPricesFall"},
    Shown{at_tracking_mined, Trigger::final_filler_cancelled, "LaneCancel.Failure33CancelSendsOnlyTheGapFiller"},
    Shown{at_tracking_mined, Trigger::final_filler_refused,
          "LaneRefused.Failure11FillsTheNonceOfAnUnacceptableTransaction"},
    Shown{at_tracking_mined, Trigger::final_filler_timed_out,
          "LaneTimeout.FailOnTimeoutFillsTheNonceAndCancelsTheQueue"},
    Shown{{State::confirmed, SubState::none},
          Trigger::removed_after_final,
          "LaneReorg.Failure26FlagsAndResendsARemovedSettledTransaction"},
    Shown{{State::confirmed, SubState::forked},
          Trigger::receipt_found,
          "LaneReorg.Failure26FlagsAndResendsARemovedSettledTransaction"},
    Shown{at_allocated, Trigger::submit_unknown, "LaneConnector.MissingHashEntersTheGreyZoneAndBlocksTheQueue"},
    Shown{at_grey, Trigger::submission_found, "LaneConnector.FindsAMinedTransactionByNonceWithinAMinute"},
    Shown{at_grey, Trigger::nonce_taken, "LaneConnector.ExternalUseOfTheNonceFailsItAndStopsTheKey"},
    Shown{at_grey, Trigger::abandon, "LaneConnector.GapFillerConsumesAFreeNonceAfterTheTimeOut"},
    Shown{at_grey, Trigger::give_up, "LaneConnector.DisabledScanLeavesTheDecisionToAnOperator"},
    Shown{{State::unknown_submit_result, SubState::cancelling},
          Trigger::send_accepted,
          "LaneConnector.GapFillerConsumesAFreeNonceAfterTheTimeOut"},
    Shown{{State::unknown_submit_result, SubState::cancelling},
          Trigger::submission_found,
          "LaneConnector.GapFillerWithALostAnswerIsFoundOrRequestedAgain"},
    Shown{at_taken, Trigger::submit_unknown, "LaneConnector.ReorgOfAnExternalTxReturnsItToTheGreyZone"},
    Shown{{State::failed_final, SubState::none},
          Trigger::removed_after_final,
          "LaneMoves.RemovedSettledRevertIsFlaggedUntilMinedAgain"},
    Shown{{State::failed_final, SubState::forked},
          Trigger::receipt_found,
          "LaneMoves.RemovedSettledRevertIsFlaggedUntilMinedAgain"},
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

bool is_shown(const Move& move) {
    return std::ranges::any_of(shown_moves,
                               [&](const Shown& s) { return s.from == move.from && s.trigger == move.trigger; });
}

TEST(LaneEveryMove, TheListKnowsEveryMoveOfStrictModeSoFar) {
    for (const auto& move : allowed_moves()) {
        if (comes_later(move) || move.from == move.to) continue;
        EXPECT_TRUE(is_shown(move)) << fmt::format("{} from {}", move.trigger, move.from);
    }
    for (const auto& s : shown_moves)
        EXPECT_TRUE(fencepost::move(s.from, s.trigger).has_value()) << s.by;
}

class EveryMoveWasDriven final : public ::testing::Environment {
public:
    void TearDown() override {
        const auto& program = *::testing::UnitTest::GetInstance();
        if (program.test_to_run_count() != program.total_test_count() || program.Failed()) return;
        for (const auto& s : shown_moves) {
            const SeenMove wanted{s.from, *fencepost::move(s.from, s.trigger)};
            EXPECT_TRUE(seen_moves().contains(wanted))
                << fmt::format("{} from {} was not driven; expected in {}", s.trigger, s.from, s.by);
        }
    }
};

const auto* const every_move = ::testing::AddGlobalTestEnvironment(new EveryMoveWasDriven);

}  // namespace
}  // namespace fencepost::scenario
