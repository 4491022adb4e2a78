// Queueing an intent again after an external transaction consumed its nonce. The new transaction is linked to the old
// one, and its ids are derived from the old ones, so repeated requests create only one.
#pragma once

#include "domain/ids.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

/// Only after the external transaction is final: before that a reorg may free the nonce, the old bytes may be mined,
/// and the intent would be executed twice (failure 29).
[[nodiscard]] constexpr bool may_be_requeued(Position position) {
    return position == Position{State::failed_final, SubState::nonce_taken};
}

/// The id of the transaction that replaces this one in the queue (RFC 9562, version 8).
[[nodiscard]] TxId requeued_id(const TxId& from);

/// And its request id, from a range that callers cannot use.
[[nodiscard]] RequestId requeued_request(const TxId& from);
[[nodiscard]] bool is_reserved(const RequestId& request);

}  // namespace fencepost
