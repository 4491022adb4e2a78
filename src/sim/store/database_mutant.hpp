// Ways to break the database on purpose. Each takes one promise of the ports away, so that a run under it shows whether
// the checkers would notice if a store broke that promise.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost::sim {

enum class DatabaseMutant {
    none,
    no_fence_check,  // a write is applied whatever its fence
    no_row_lock,     // the fence is judged when a write is executed, and nothing keeps it until the commit
    write_answered_before_commit,   // committed up to 2 s later, or not at all if the caller's node dies meanwhile
    request_id_not_unique,          // the request id is not kept
    cursor_without_compare,         // the cursor moves from wherever it stands
    token_kept_on_reopening,        // opening one's own unexpired lease raises nothing
    takeover_before_expiry,         // an opening takes any lease
    expiry_by_node_clock,           // an opening judges by the asking node's clock
    accept_answered_before_commit,  // and some of what was accepted is never committed
    state_not_compared,             // a transaction moves from wherever it stands, if the table has such a move
    events_dropped,                 // some events are not written
    event_written_twice,            // some events are written twice
    half_a_write,                   // of several transactions in a write, some are not written
    lost_answer_called_refused,     // what may have been written is said to be certainly not written
    roll_back_forgotten,            // a receipt stays on record although it was rolled back
    shared_nonce_given_out_twice,   // a nonce that a transaction gets stays among those that may be given
    late_commit_outruns_opening,    // a commit that comes late is not stopped by a newer opening
    release_without_compare,        // a lease is released whatever the fence
    shared_reservation_unfenced,    // what is written beside a lane's batches is written whatever its fence
    cursor_one_too_far,             // now and then the cursor moves past a nonce that nobody got
};
FP_ENUM_NAMES(DatabaseMutant, as_written, none, no_fence_check, no_row_lock, write_answered_before_commit,
              request_id_not_unique, cursor_without_compare, token_kept_on_reopening, takeover_before_expiry,
              expiry_by_node_clock, accept_answered_before_commit, state_not_compared, events_dropped,
              event_written_twice, half_a_write, lost_answer_called_refused, roll_back_forgotten,
              shared_nonce_given_out_twice, late_commit_outruns_opening, release_without_compare,
              shared_reservation_unfenced, cursor_one_too_far)

}  // namespace fencepost::sim
