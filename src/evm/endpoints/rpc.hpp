// The endpoints of one chain as their users see them: requests in, answers out, from any node. The follower, the fee
// oracle and the diagnosis depend only on this, so tests script it.
#pragma once

#include <vector>

#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using jsonrpc::Answer;
using jsonrpc::Request;

/// Contract:
/// - one endpoint answers a batch whole: the answers are one view of the chain;
/// - a failing endpoint is replaced by another in service while there is one and time is left;
/// - with `agreeing` above 1, an answer counts only if this many endpoints gave the same, item by item; otherwise the
/// item is a Failure.
class Rpc {
public:
    virtual ~Rpc() = default;
    [[nodiscard]] virtual Task<std::vector<Answer>> read(std::vector<Request> batch, Evidence evidence) = 0;
    /// The same batch to every endpoint in service; one entry per endpoint that answered at least one item. For values
    /// that must be the highest over all endpoints.
    [[nodiscard]] virtual Task<std::vector<std::vector<Answer>>> read_all(std::vector<Request> batch) = 0;
};

}  // namespace fencepost::evm
