// POST /api/v1/tx/{txId}/speedup: the transaction is sent again with a higher fee.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route speed_up_tx(Service& service) {
    return route_of(service, TxAct{.kind = CommandKind::speed_up,
                                   .name = "speedup",
                                   .scope = Scope::write,
                                   .refuse = refuse_unless_in_flight});
}

}  // namespace fencepost::api::routes
