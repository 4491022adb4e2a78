// Deliberate faults that prove the checkers work. Each breaks one rule of the product, in a wrapper around it and never
// inside it, and a run with it must report a violation. Database mutants are in store/.
#pragma once

#include <string_view>

#include "base/text/enum_names.hpp"

namespace fencepost::sim {

enum class Mutant {
    none,
    // Law 1.
    no_fence_check,
    no_row_lock,
    token_kept_on_reopening,
    takeover_before_expiry,
    expiry_by_node_clock,
    lease_deadline_ignored,
    late_commit_after_opening,
    release_without_compare,
    // Law 2.
    write_answered_before_commit,
    accept_answered_before_commit,
    // Law 3.
    renonce_on_timeout,
    cursor_without_compare,
    request_id_not_unique,
    partial_write,
    requeue_before_external_tx_is_final,
    retry_without_request_id,
    bump_with_other_intent,
    // Law 4, and what nodes ask of a replacement.
    nonce_skipped,
    cursor_skips_one,
    bump_below_minimum,
    bump_keeps_zero_tip,
    original_resent_after_cancel,
    // Law 5.
    verdict_before_gap_filler_is_final,
    gap_filler_for_settled_tx,
    final_at_depth_zero,
    rollback_on_lagging_endpoint,
    rollback_not_stored,
    external_use_misdetected,
    external_use_ignored,
    mined_assumed_successful,
    // What callers are promised.
    events_dropped,
    event_written_twice,
    state_not_compared,
    // What operators are promised.
    fee_cap_ignored,
    window_ignored,
    unbounded_backlog,
    lanes_never_released,
    lanes_handed_over_repeatedly,
    // Which event wakes a transaction (lane/loop/wake_ups.hpp).
    missed_wake_up_own_time,
    missed_wake_up_committed,
    missed_wake_up_deep_enough,
    missed_wake_up_reorg,
    missed_wake_up_external_fate,
    missed_wake_up_gap_closed,
    missed_wake_up_verification,
    // The state from which the next owner continues.
    progress_not_stored,
    database_clock_trusted,
    // Keys that another system also uses.
    shared_nonce_allocated_twice,
    shared_nonce_recycled_after_send,
    shared_nonce_gap_left_open,
    shared_nonce_lost_before_final,
    shared_reservation_unfenced,
    // Keys that a connector holds.
    connector_renonce_on_timeout,
    connector_unknown_outcome_failed,
    connector_found_tx_not_compared,
    connector_sends_other_intent,
};
FP_ENUM_NAMES(Mutant, as_written, none, no_fence_check, no_row_lock, token_kept_on_reopening, takeover_before_expiry,
              expiry_by_node_clock, lease_deadline_ignored, late_commit_after_opening, release_without_compare,
              write_answered_before_commit, accept_answered_before_commit, renonce_on_timeout, cursor_without_compare,
              request_id_not_unique, partial_write, requeue_before_external_tx_is_final, retry_without_request_id,
              bump_with_other_intent, nonce_skipped, cursor_skips_one, bump_below_minimum, bump_keeps_zero_tip,
              original_resent_after_cancel, verdict_before_gap_filler_is_final, gap_filler_for_settled_tx,
              final_at_depth_zero, rollback_on_lagging_endpoint, rollback_not_stored, external_use_misdetected,
              external_use_ignored, mined_assumed_successful, events_dropped, event_written_twice, state_not_compared,
              fee_cap_ignored, window_ignored, unbounded_backlog, lanes_never_released, lanes_handed_over_repeatedly,
              missed_wake_up_own_time, missed_wake_up_committed, missed_wake_up_deep_enough, missed_wake_up_reorg,
              missed_wake_up_external_fate, missed_wake_up_gap_closed, missed_wake_up_verification, progress_not_stored,
              database_clock_trusted, shared_nonce_allocated_twice, shared_nonce_recycled_after_send,
              shared_nonce_gap_left_open, shared_nonce_lost_before_final, shared_reservation_unfenced,
              connector_renonce_on_timeout, connector_unknown_outcome_failed, connector_found_tx_not_compared,
              connector_sends_other_intent)

/// The kind of keys a rule concerns; it is broken only where the run has such keys.
enum class Keys { exclusive, shared, connector_held };
[[nodiscard]] Keys keys_of(Mutant mutant);

/// Whether the mutant breaks this law. A violation of another law proves nothing about the mutant's own checker.
[[nodiscard]] bool is_breach_of(Mutant mutant, std::string_view law);

}  // namespace fencepost::sim
