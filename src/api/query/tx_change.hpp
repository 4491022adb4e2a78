// What a lane of this node has just written about a transaction, as far as somebody may wait for it.
#pragma once

#include "domain/ids.hpp"

namespace fencepost::api {

struct TxChange {
    TxId tx;
    bool is_mined = false;
    bool is_settled = false;
};

}  // namespace fencepost::api
