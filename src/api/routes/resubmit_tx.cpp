// POST /api/v1/tx/{txId}/resubmit: the same bytes are sent again, now.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route resubmit_tx(Service& service) {
    return route_of(service, TxAct{.kind = CommandKind::resubmit,
                                   .name = "resubmit",
                                   .scope = Scope::write,
                                   .refuse = refuse_unless_in_flight});
}

}  // namespace fencepost::api::routes
