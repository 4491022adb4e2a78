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
    late_commit_outruns_opening,
    release_without_compare,
    // Law 2.
    write_answered_before_commit,
    accept_answered_before_commit,
    // Law 3.
    renonce_on_timeout,
    cursor_without_compare,
    request_id_not_unique,
    half_a_write,
    requeue_before_the_stranger_is_final,
    retry_without_request_id,
    bump_of_another_intent,
    // Law 4, and what nodes ask of a replacement.
    nonce_skipped,
    cursor_one_too_far,
    bump_of_five_percent,
    bump_of_a_zero_tip,
    resend_of_the_original_after_cancel,
    // Law 5.
    verdict_before_the_filler_is_final,
    filler_for_a_settled_one,
    final_at_depth_zero,
    roll_back_on_a_laggards_word,
    roll_back_forgotten,
    outside_use_imagined,
    outside_use_ignored,
    mined_taken_for_success,
    // What callers are promised.
    events_dropped,
    event_written_twice,
    state_not_compared,
    // What operators are promised.
    fee_cap_ignored,
    window_ignored,
    work_piles_up,
    lanes_never_given_up,
    lanes_handed_about,
    // Which event wakes a transaction (lane/loop/wake_ups.hpp).
    deaf_to_own_time,
    deaf_to_committed,
    deaf_to_deep_enough,
    deaf_to_reorg,
    deaf_to_external_fate,
    deaf_to_gap_closed,
    deaf_to_verification,
    // The state from which the next owner continues.
    progress_not_stored,
    database_clock_believed,
    // Keys that another system also uses.
    shared_nonce_given_out_twice,
    shared_nonce_given_back_after_sending,
    shared_hole_left_open,
    shared_nonce_lost_too_early,
    shared_reservation_unfenced,
    // Keys that a connector holds.
    connector_renonce_on_timeout,
    connector_grey_zone_called_failed,
    connector_sight_not_compared,
    connector_asked_for_another_intent,
};
FP_ENUM_NAMES(Mutant, as_written, none, no_fence_check, no_row_lock, token_kept_on_reopening, takeover_before_expiry,
              expiry_by_node_clock, lease_deadline_ignored, late_commit_outruns_opening, release_without_compare,
              write_answered_before_commit, accept_answered_before_commit, renonce_on_timeout, cursor_without_compare,
              request_id_not_unique, half_a_write, requeue_before_the_stranger_is_final, retry_without_request_id,
              bump_of_another_intent, nonce_skipped, cursor_one_too_far, bump_of_five_percent, bump_of_a_zero_tip,
              resend_of_the_original_after_cancel, verdict_before_the_filler_is_final, filler_for_a_settled_one,
              final_at_depth_zero, roll_back_on_a_laggards_word, roll_back_forgotten, outside_use_imagined,
              outside_use_ignored, mined_taken_for_success, events_dropped, event_written_twice, state_not_compared,
              fee_cap_ignored, window_ignored, work_piles_up, lanes_never_given_up, lanes_handed_about,
              deaf_to_own_time, deaf_to_committed, deaf_to_deep_enough, deaf_to_reorg, deaf_to_external_fate,
              deaf_to_gap_closed, deaf_to_verification, progress_not_stored, database_clock_believed,
              shared_nonce_given_out_twice, shared_nonce_given_back_after_sending, shared_hole_left_open,
              shared_nonce_lost_too_early, shared_reservation_unfenced, connector_renonce_on_timeout,
              connector_grey_zone_called_failed, connector_sight_not_compared, connector_asked_for_another_intent)

/// The kind of keys a rule concerns; it is broken only where the run has such keys.
enum class Keys { ours, shared, a_connectors };
[[nodiscard]] Keys keys_of(Mutant mutant);

/// Whether the mutant breaks this law. A violation of another law proves nothing about the mutant's own checker.
[[nodiscard]] bool is_breach_of(Mutant mutant, std::string_view law);

}  // namespace fencepost::sim
