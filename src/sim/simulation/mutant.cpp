#include "sim/simulation/mutant.hpp"

namespace fencepost::sim {

Keys keys_of(Mutant mutant) {
    if (name_of(mutant).starts_with("shared_")) return Keys::shared;
    return name_of(mutant).starts_with("connector_") ? Keys::connector_held : Keys::exclusive;
}

bool is_breach_of(Mutant mutant, std::string_view law) {
    switch (mutant) {
        case Mutant::none:
            return false;
        case Mutant::no_fence_check:
        case Mutant::no_row_lock:
        case Mutant::token_kept_on_reopening:
        case Mutant::takeover_before_expiry:
        case Mutant::lease_deadline_ignored:
        case Mutant::late_commit_after_opening:
        case Mutant::release_without_compare:
        case Mutant::shared_reservation_unfenced:
            return law.starts_with("law 1");
        case Mutant::expiry_by_node_clock:  // a slow clock keeps leases alive for an hour
            return law.starts_with("law 1") || law.starts_with("everything settles");
        case Mutant::write_answered_before_commit:
        case Mutant::connector_renonce_on_timeout:
        case Mutant::renonce_on_timeout:  // no record has its second bytes: law 2 reports first
            return law.starts_with("law 2");
        case Mutant::cursor_without_compare:
        case Mutant::shared_nonce_allocated_twice:
        case Mutant::shared_nonce_recycled_after_send:
            return law.starts_with("law 3");
        case Mutant::requeue_before_external_tx_is_final:
            return law.starts_with("law 3: an intent is queued again");
        case Mutant::retry_without_request_id:  // the store sees two requests: only the chain shows it
            return law.starts_with("law 3: an intent is executed once");
        case Mutant::bump_with_other_intent:
        case Mutant::connector_sends_other_intent:
            return law.starts_with("law 3: a nonce carries one intent");
        case Mutant::nonce_skipped:
            return law.starts_with("law 4");
        case Mutant::cursor_skips_one:  // usually the next owner continues from a cursor that no commit has set
            return law.starts_with("law 4") || law.starts_with("law 3: the cursor is compared");
        case Mutant::external_use_ignored:
            return law.starts_with("external use");
        case Mutant::mined_assumed_successful:
            return law.starts_with("a receipt is the chain's");
        case Mutant::accept_answered_before_commit:
            return law.starts_with("what was acknowledged");
        case Mutant::request_id_not_unique:
            return law.starts_with("a request is one transaction");
        case Mutant::partial_write:  // also: bytes leave whose record was in the other half
            return law.starts_with("a write compares") || law.starts_with("what was committed") ||
                   law.starts_with("law 2");
        case Mutant::state_not_compared:
            return law.starts_with("a write compares") || law.starts_with("a verdict never changes") ||
                   law.starts_with("states move");
        case Mutant::bump_below_minimum:
        case Mutant::bump_keeps_zero_tip:
            return law.starts_with("a bump");
        case Mutant::original_resent_after_cancel:
            return law.contains("cancel");
        case Mutant::external_use_misdetected:
            return law.starts_with("a key is stopped");
        case Mutant::gap_filler_for_settled_tx:
            return law.starts_with("a verdict is revoked");
        case Mutant::verdict_before_gap_filler_is_final:
        case Mutant::final_at_depth_zero:
        case Mutant::shared_nonce_lost_before_final:
        case Mutant::connector_unknown_outcome_failed:
        case Mutant::rollback_on_lagging_endpoint:
            return law.starts_with("law 5");
        case Mutant::rollback_not_stored:  // the lane finds the recorded receipt again and again
            return law.starts_with("everything settles") || law.starts_with("what was committed") ||
                   law.starts_with("the store says") || law.starts_with("a lane that is opened again");
        case Mutant::shared_nonce_gap_left_open:
        case Mutant::lanes_never_released:
            return law.starts_with("everything settles");
        case Mutant::lanes_handed_over_repeatedly:
            return law.starts_with("lanes stay where they are");
        case Mutant::connector_found_tx_not_compared:
            return law.starts_with("what a connector sent");
        case Mutant::events_dropped:
        case Mutant::event_written_twice:
            return law.starts_with("events");
        case Mutant::fee_cap_ignored:
            return law.starts_with("fees");
        case Mutant::window_ignored:
            return law.starts_with("a window");
        case Mutant::unbounded_backlog:
            return law.starts_with("queues");
        case Mutant::missed_wake_up_own_time:
        case Mutant::missed_wake_up_committed:
        case Mutant::missed_wake_up_deep_enough:
        case Mutant::missed_wake_up_reorg:
        case Mutant::missed_wake_up_external_fate:
        case Mutant::missed_wake_up_gap_closed:
        case Mutant::missed_wake_up_verification:
            return law.starts_with("nothing that is due is missed");
        case Mutant::progress_not_stored:
            return law.starts_with("a lane that is opened again decides the same");
        case Mutant::database_clock_trusted:
            return law.starts_with("no clock makes a time-out come early");
    }
    return false;
}

}  // namespace fencepost::sim
