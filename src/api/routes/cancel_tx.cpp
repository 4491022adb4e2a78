// POST /api/v1/tx/{txId}/cancel: the transaction is not to be executed any more. What has a nonce is replaced
// by a transfer of nothing, and may still be mined instead: the verdict says which.
#include <optional>
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

// What is in a block cannot be taken back.
std::optional<http::Response> refuse_cancel(const TxView& tx) {
    return tx.position.state == State::queued ? std::nullopt : refuse_unless_in_flight(tx);
}

constexpr TxAct act{.kind = CommandKind::cancel, .name = "cancel", .scope = Scope::write, .refuse = refuse_cancel};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_tx(service, act, std::move(request));
}

}  // namespace

http::Route cancel_tx(Service& service) {
    return {http::Method::post, "/api/v1/tx/{txId}/cancel", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
