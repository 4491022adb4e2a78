// A change of a transaction that a lane of this node has just committed, as far as a request may wait for it.
#pragma once

#include "domain/ids.hpp"

namespace fencepost::api {

struct TxChange {
    TxId tx;
    bool is_mined = false;
    bool is_settled = false;
};

}  // namespace fencepost::api
