// The one table of moves a transaction may make. Lane, stores and simulator ask it; docs/reference/states.md shows it,
// and a test compares the two. A move that is not in it does not happen.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

/// What happened. Each is backed by evidence that the lane has, and has recorded or records in the same commit.
enum class Trigger {
    allocate,                // nonce, attempt and cursor committed together under the fence
    reject,                  // prepare found a certain failure
    cancel,                  // asked for while there was no nonce
    send_accepted,           // an endpoint took an attempt, or already knew it
    submit_unknown,          // a signing connector's answer was lost
    submission_found,        // the lost submission was found by sender and nonce
    resubmit,                // the same bytes, or a bump, were claimed to be sent again
    time_out,                // older than transactionTimeout, and the policy is to go on
    abandon,                 // a filler was claimed for the nonce: cancelled, timed out or refused for good
    underfunded,             // endpoints agree that the account cannot pay
    fee_capped,              // the next bump would exceed the cap
    nonce_taken,             // a foreign transaction at this nonce was seen, by name
    foreign_removed,         // that foreign transaction was reorged away
    foreign_final,           // that foreign transaction is final
    give_up,                 // maxAttempts or stuckAfter reached
    receipt_found,           // one of the attempts is in a block
    receipt_rolled_back,     // another block was seen at that height, by an endpoint at least as high
    final_success,           // the intent's receipt is at depth, and succeeded
    final_revert,            // the intent's receipt is at depth, and failed
    final_filler_cancelled,  // the filler's receipt is at depth; the caller had cancelled
    final_filler_timed_out,  // the filler's receipt is at depth; the intent had timed out
    final_filler_refused,    // the filler's receipt is at depth; endpoints had refused the intent for good
    recycle,                 // relaxed mode only: certainly never sent, its nonce goes back
    removed_after_final,     // a reorg deeper than the required depth took its block
};
FP_ENUM_NAMES(Trigger, as_written, allocate, reject, cancel, send_accepted, submit_unknown, submission_found, resubmit,
              time_out, abandon, underfunded, fee_capped, nonce_taken, foreign_removed, foreign_final, give_up,
              receipt_found, receipt_rolled_back, final_success, final_revert, final_filler_cancelled,
              final_filler_timed_out, final_filler_refused, recycle, removed_after_final)

struct Move {
    Position from;
    Trigger trigger{};
    Position to;

    friend bool operator==(const Move&, const Move&) = default;
};

/// Every allowed move, one row each.
[[nodiscard]] std::span<const Move> allowed_moves();

struct IllegalMove {
    Position from;
    Trigger trigger{};
    [[nodiscard]] std::string what() const;
};

/// Where the trigger leads from here, or that it leads nowhere.
[[nodiscard]] Result<Position, IllegalMove> move(Position from, Trigger trigger);

/// Whether some trigger leads there from here: what a store can still check when it is told only both ends.
[[nodiscard]] bool can_move(Position from, Position to);

/// The moves between states as a Mermaid state diagram, for docs/reference/states.md.
[[nodiscard]] std::string to_mermaid();

}  // namespace fencepost

template <>
struct fmt::formatter<fencepost::Position> : fmt::formatter<std::string> {
    auto format(fencepost::Position position, format_context& ctx) const {
        const auto sub = name_of(position.sub);
        return fmt::formatter<std::string>::format(
            fmt::format("{}{}{}", name_of(position.state), sub.empty() ? "" : "/", sub), ctx);
    }
};
