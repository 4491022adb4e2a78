// The transition table of a transaction. Lane, stores and simulator use it; docs/reference/states.md shows it, and a
// test compares the two. A transition that is not listed is illegal.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

/// The cause of a transition. Each is backed by evidence that is recorded at the latest in the same commit.
enum class Trigger {
    allocate,                // nonce, attempt and cursor committed together under the fence
    reject,                  // prepare found a certain failure
    cancel,                  // requested before a nonce was allocated
    send_accepted,           // an endpoint accepted an attempt, or already knew it
    submit_unknown,          // a signing connector's answer was lost
    submission_found,        // the lost submission was found by sender and nonce
    resubmit,                // a resend of the same bytes, or of a bump, was claimed
    time_out,                // older than transactionTimeout, and configured to continue
    abandon,                 // a gap filler was claimed: cancelled, timed out or permanently refused
    underfunded,             // endpoints agree that the account cannot pay
    fee_capped,              // the next bump would exceed the cap
    nonce_taken,             // an external transaction at this nonce was identified by hash
    external_tx_removed,     // a reorg removed that external transaction
    external_tx_final,       // that external transaction is final
    give_up,                 // maxAttempts or stuckAfter reached
    receipt_found,           // one of the attempts is in a block
    receipt_rolled_back,     // an endpoint at least as high has another block at that height
    final_success,           // the intent's receipt reached its depth, and succeeded
    final_revert,            // the intent's receipt reached its depth, and failed
    final_filler_cancelled,  // the gap filler's receipt reached its depth; the caller had cancelled
    final_filler_timed_out,  // the gap filler's receipt reached its depth; the intent had timed out
    final_filler_refused,    // the gap filler's receipt reached its depth; endpoints had permanently refused the intent
    recycle,                 // relaxed mode only: never sent, its nonce is released
    removed_after_final,     // a reorg beyond the required depth removed its block
};
FP_ENUM_NAMES(Trigger, as_written, allocate, reject, cancel, send_accepted, submit_unknown, submission_found, resubmit,
              time_out, abandon, underfunded, fee_capped, nonce_taken, external_tx_removed, external_tx_final, give_up,
              receipt_found, receipt_rolled_back, final_success, final_revert, final_filler_cancelled,
              final_filler_timed_out, final_filler_refused, recycle, removed_after_final)

struct Move {
    Position from;
    Trigger trigger{};
    Position to;

    friend bool operator==(const Move&, const Move&) = default;
};

/// Every allowed transition, one row each.
[[nodiscard]] std::span<const Move> allowed_moves();

struct IllegalMove {
    Position from;
    Trigger trigger{};
    [[nodiscard]] std::string what() const;
};

/// The position after the trigger, or an error if the transition is illegal.
[[nodiscard]] Result<Position, IllegalMove> move(Position from, Trigger trigger);

/// Whether any trigger leads from one position to the other: stores check this, since they receive only both ends.
[[nodiscard]] bool is_allowed_move(Position from, Position to);

/// The transitions between states as a Mermaid state diagram, for docs/reference/states.md.
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
