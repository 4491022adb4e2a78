// Handing in again an intent whose nonce somebody else used. The new transaction is another one, linked to the old:
// its ids follow from the old one's, so that however often, and by however many, this is asked for, it is one.
#pragma once

#include "domain/ids.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

/// Only what failed because the transaction that used its nonce is final: before that a reorg may give the nonce back,
/// our old bytes may be mined, and the intent would be executed twice (failure 29).
[[nodiscard]] constexpr bool may_be_requeued(Position position) {
    return position == Position{State::failed_final, SubState::nonce_taken};
}

/// The id of the transaction that this one is queued again as (RFC 9562, version 8).
[[nodiscard]] TxId requeued_id(const TxId& from);

/// And the id of its request, of which callers can have none alike.
[[nodiscard]] RequestId requeued_request(const TxId& from);
[[nodiscard]] bool is_reserved(const RequestId& request);

}  // namespace fencepost
