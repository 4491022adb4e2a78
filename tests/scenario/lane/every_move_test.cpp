// Every move of strict mode's table that the lane can make so far is driven by some scenario of this program. Each
// scenario notes the moves it saw written; when the whole program has run, none may be missing.
#include <algorithm>

#include <gtest/gtest.h>

#include "domain/transition_table.hpp"
#include "support/seen_moves.hpp"

namespace fencepost::scenario {
namespace {

using enum SubState;

struct Shown {
    Position from;
    Trigger trigger;
    const char* by;  // a scenario that shows it
};

constexpr Position queued{State::queued, none};
constexpr Position allocated{State::allocated, none};
constexpr Position allocated_stale{State::allocated, stale};
constexpr Position tracking{State::tracking, none};
constexpr Position tracking_stale{State::tracking, stale};
constexpr Position tracking_forked{State::tracking, forked};
constexpr Position tracking_mined{State::tracking, mined};
constexpr Position taken{State::stuck, nonce_taken};
constexpr Position grey{State::unknown_submit_result, none};
constexpr Position tracking_cancelling{State::tracking, cancelling};
constexpr Position stuck{State::stuck, none};

constexpr std::array shown{
    Shown{queued, Trigger::allocate, "LaneLife"},
    Shown{queued, Trigger::reject, "LanePrepare"},
    Shown{allocated, Trigger::send_accepted, "LaneLife"},
    Shown{allocated, Trigger::resubmit, "LaneReceipts.ALostSendIsRepeated…"},
    Shown{allocated, Trigger::receipt_found, "LaneReceipts.Failure07ASendWithoutAnAnswer…"},
    Shown{allocated, Trigger::nonce_taken, "LaneMoves.ANonceThatWasTakenBeforeTheFirstSend…"},
    Shown{allocated_stale, Trigger::send_accepted, "LaneReceipts.ALostSendIsRepeated…"},
    Shown{allocated_stale, Trigger::receipt_found, "LaneMoves.BytesThatWereSentAgainWithoutAnAnswer…"},
    Shown{allocated_stale, Trigger::recycle, "LaneRecycle.ACertainRefusalFails…"},
    Shown{allocated_stale, Trigger::nonce_taken, "LaneMoves.ANonceThatWasTakenWhileNobodyAnswered…"},
    Shown{tracking, Trigger::resubmit, "LaneMoves.WhatAMempoolForgot…"},
    Shown{tracking, Trigger::receipt_found, "LaneLife"},
    Shown{tracking, Trigger::nonce_taken, "LaneMoves.ANonceThatWasTakenIsNoticedAlsoWhenAnEndpointThatLags…"},
    Shown{tracking_stale, Trigger::send_accepted, "LaneMoves.WhatAMempoolForgot…"},
    Shown{tracking_stale, Trigger::receipt_found, "LaneMoves.WhatAMempoolForgot…"},
    Shown{tracking_stale, Trigger::nonce_taken, "LaneMoves.AStaleTransactionWhoseNonceWasTaken…"},
    Shown{tracking_forked, Trigger::send_accepted, "LaneReorg.Failure09…"},
    Shown{tracking_forked, Trigger::resubmit, "LaneMoves.AForkedTransactionWhoseResendGotNoAnswer…"},
    Shown{tracking_forked, Trigger::receipt_found, "LaneMoves.AForkedTransactionWhoseResendGotNoAnswer…"},
    Shown{tracking_forked, Trigger::nonce_taken, "LaneMoves.ANonceThatAReorgGaveToSomebodyElse…"},
    Shown{tracking_mined, Trigger::receipt_rolled_back, "LaneReorg.Failure09…"},
    Shown{tracking_mined, Trigger::receipt_found, "LaneMoves.ANewReceiptThatComesWithTheNews…"},
    Shown{tracking_mined, Trigger::final_success, "LaneLife"},
    Shown{tracking_mined, Trigger::final_revert, "LaneReorg.Failure17…"},
    Shown{taken, Trigger::receipt_found, "LaneMoves.ANonceThatAReorgGaveToSomebodyElse…"},
    Shown{taken, Trigger::foreign_removed, "LaneMoves.ANonceThatWasTakenComesBack…"},
    Shown{taken, Trigger::foreign_final, "LaneReceipts.AForeignTransactionAtOurNonce…"},
    Shown{queued, Trigger::cancel, "LaneCancel.Failure25…"},
    Shown{queued, Trigger::time_out, "LaneTimeout.WhereItFails…"},
    Shown{tracking, Trigger::abandon, "LaneCancel.Failure33…"},
    Shown{tracking_cancelling, Trigger::receipt_found, "LaneCancel.Failure33…"},
    Shown{allocated, Trigger::underfunded, "LaneUnderfunded"},
    Shown{{State::allocated, underfunded}, Trigger::send_accepted, "LaneUnderfunded"},
    Shown{tracking, Trigger::give_up, "LaneStuck.AfterMaxAttempts…"},
    Shown{stuck, Trigger::resubmit, "LaneStuck.AfterMaxAttempts…"},
    Shown{stuck, Trigger::abandon, "LaneStuck.WhatIsHandedToAPerson…"},
    Shown{tracking, Trigger::time_out, "LaneTimeout.CountsFromTheFirstSubmit…"},
    Shown{{State::tracking, timeout}, Trigger::receipt_found, "LaneTimeout.CountsFromTheFirstSubmit…"},
    Shown{{State::tracking, fee_capped}, Trigger::receipt_found, "LaneSameNonce.Failure03…"},
    Shown{tracking_mined, Trigger::final_filler_cancelled, "LaneCancel.Failure33…"},
    Shown{tracking_mined, Trigger::final_filler_refused, "LaneRefused.Failure11…"},
    Shown{tracking_mined, Trigger::final_filler_timed_out, "LaneTimeout.WhereItFails…"},
    Shown{{State::confirmed, none}, Trigger::removed_after_final, "LaneReorg.Failure26…"},
    Shown{{State::confirmed, forked}, Trigger::receipt_found, "LaneReorg.Failure26…"},
    Shown{allocated, Trigger::submit_unknown, "LaneConnector.WithoutAHash…"},
    Shown{grey, Trigger::submission_found, "LaneConnector.WhatWasMined…"},
    Shown{grey, Trigger::nonce_taken, "LaneConnector.ANonceThatSomebodyElseUsed…"},
    Shown{grey, Trigger::abandon, "LaneConnector.ANonceThatIsStillFree…"},
    Shown{grey, Trigger::give_up, "LaneConnector.WithTheScanOff…"},
    Shown{{State::unknown_submit_result, cancelling}, Trigger::send_accepted, "LaneConnector.ANonceThatIsStillFree…"},
    Shown{{State::unknown_submit_result, cancelling}, Trigger::submission_found, "LaneConnector.AFillerWhose…"},
    Shown{taken, Trigger::submit_unknown, "LaneConnector.ANonceThatAReorgTook…"},
    Shown{{State::failed_final, none}, Trigger::removed_after_final, "LaneMoves.ASettledRevert…"},
    Shown{{State::failed_final, forked}, Trigger::receipt_found, "LaneMoves.ASettledRevert…"},
};

// What is not required from every sub-state: cancelling and fillers, fees and funds, giving up, the grey zone; relaxed
// mode is not the strict lane's at all.
bool comes_later(const Move& move) {
    constexpr std::array later_subs{timeout, cancelling, fee_capped, underfunded};
    const auto is_later = [&](SubState sub) { return std::ranges::find(later_subs, sub) != later_subs.end(); };
    if (is_later(move.from.sub) || is_later(move.to.sub)) return true;
    if (move.from.state == State::unknown_submit_result || move.from.state == State::cancelled) return true;
    if (move.from == Position{State::stuck, none} || move.from == Position{State::failed_final, nonce_taken})
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
    return std::ranges::any_of(shown, [&](const Shown& s) { return s.from == move.from && s.trigger == move.trigger; });
}

TEST(LaneEveryMove, TheListKnowsEveryMoveOfStrictModeSoFar) {
    for (const auto& move : allowed_moves()) {
        if (comes_later(move) || move.from == move.to) continue;
        EXPECT_TRUE(is_shown(move)) << fmt::format("{} from {}", move.trigger, move.from);
    }
    for (const auto& s : shown)
        EXPECT_TRUE(fencepost::move(s.from, s.trigger).has_value()) << s.by;
}

class EveryMoveWasDriven final : public ::testing::Environment {
public:
    void TearDown() override {
        const auto& program = *::testing::UnitTest::GetInstance();
        if (program.test_to_run_count() != program.total_test_count() || program.Failed()) return;
        for (const auto& s : shown) {
            const SeenMove wanted{s.from, *fencepost::move(s.from, s.trigger)};
            EXPECT_TRUE(seen_moves().contains(wanted))
                << fmt::format("nobody drove {} from {}; it should be {}", s.trigger, s.from, s.by);
        }
    }
};

const auto* const every_move = ::testing::AddGlobalTestEnvironment(new EveryMoveWasDriven);

}  // namespace
}  // namespace fencepost::scenario
