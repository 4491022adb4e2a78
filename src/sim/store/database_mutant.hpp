// Deliberate faults of the database. Each breaks one promise of the ports, so that a run with it shows whether the
// checkers would detect a store that breaks this promise.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost::sim {

enum class DatabaseMutant {
    none,
    no_fence_check,                   // a write is applied whatever its fence
    no_row_lock,                      // the fence is checked at execution, and no lock protects it until the commit
    write_answered_before_commit,     // committed up to 2 s later, or not at all if the caller's node dies meanwhile
    request_id_not_unique,            // the request id is not kept
    cursor_without_compare,           // the cursor moves from any value
    token_kept_on_reopening,          // opening one's own unexpired lease keeps the token
    takeover_before_expiry,           // an opening takes any lease
    expiry_by_node_clock,             // an opening checks expiry by the calling node's clock
    accept_answered_before_commit,    // and some accepted intents are never committed
    state_not_compared,               // a transaction moves from any state, if the table has such a move
    events_dropped,                   // some events are not written
    event_written_twice,              // some events are written twice
    partial_write,                    // some transactions of a write are not written
    unknown_outcome_reported_failed,  // an unknown outcome is reported as "certainly not written"
    rollback_not_stored,              // a receipt stays on record although it was rolled back
    shared_nonce_allocated_twice,     // an allocated nonce stays available for allocation
    late_commit_after_opening,        // a newer opening does not stop a late commit
    release_without_compare,          // a lease is released whatever the fence
    shared_reservation_unfenced,      // writes outside a lane's batches are applied whatever their fence
    cursor_skips_one,                 // sometimes the cursor moves past a nonce that was not allocated
};
FP_ENUM_NAMES(DatabaseMutant, as_written, none, no_fence_check, no_row_lock, write_answered_before_commit,
              request_id_not_unique, cursor_without_compare, token_kept_on_reopening, takeover_before_expiry,
              expiry_by_node_clock, accept_answered_before_commit, state_not_compared, events_dropped,
              event_written_twice, partial_write, unknown_outcome_reported_failed, rollback_not_stored,
              shared_nonce_allocated_twice, late_commit_after_opening, release_without_compare,
              shared_reservation_unfenced, cursor_skips_one)

}  // namespace fencepost::sim
