// POST /api/v1/tx/{txId}/speedup: the transaction is sent again with a higher fee.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr TxAct act{
    .kind = CommandKind::speed_up, .name = "speedup", .scope = Scope::write, .refuse = refuse_unless_in_flight};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_tx(service, act, std::move(request));
}

}  // namespace

http::Route speed_up_tx(Service& service) {
    return {http::Method::post, "/api/v1/tx/{txId}/speedup", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
