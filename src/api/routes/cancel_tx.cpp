// POST /api/v1/tx/{txId}/cancel: the transaction is not to be executed any more. What has a nonce is replaced
// by a transfer of nothing, and may still be mined instead: the verdict says which. Of one that was settled before a
// reorg removed it the verdict stays, and an event says that it no longer holds.
#include <optional>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

// What is in a block cannot be taken back.
std::optional<http::Response> refuse_cancel(const TxView& tx) {
    return tx.position.state == State::queued ? std::nullopt : refuse_unless_in_flight(tx);
}

}  // namespace

http::Route cancel_tx(Service& service) {
    return route_of(
        service, TxAct{.kind = CommandKind::cancel, .name = "cancel", .scope = Scope::write, .refuse = refuse_cancel});
}

}  // namespace fencepost::api::routes
