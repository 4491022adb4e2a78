// POST /api/v1/tx/{txId}/resubmit: the same bytes are sent again, now.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr TxAct act{
    .kind = CommandKind::resubmit, .name = "resubmit", .scope = Scope::write, .refuse = refuse_unless_in_flight};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_tx(service, act, std::move(request));
}

}  // namespace

http::Route resubmit_tx(Service& service) {
    return {http::Method::post, "/api/v1/tx/{txId}/resubmit", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
