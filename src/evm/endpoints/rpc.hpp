// The endpoints of one chain as their users see them: questions in, answers out, whichever node gave them. The
// follower, the fee oracle and the diagnosis ask through this, so each is tested with a scripted one.
#pragma once

#include <vector>

#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using jsonrpc::Answer;
using jsonrpc::Request;

/// What an implementation promises:
/// - a batch is answered whole by one endpoint: its answers are one view of the chain;
/// - an endpoint that fails is replaced by another that is in service, as long as there is one and time is left;
/// - with `agreeing` above 1, an answer stands only if so many endpoints gave the same, item by item; otherwise that
///   item is a Failure.
class Rpc {
public:
    virtual ~Rpc() = default;
    [[nodiscard]] virtual Task<std::vector<Answer>> read(std::vector<Request> batch, Evidence evidence) = 0;
    /// The same batch to every endpoint that is in service; one entry per endpoint that gave an answer to all of it or
    /// to some. For what must be the highest over all.
    [[nodiscard]] virtual Task<std::vector<std::vector<Answer>>> read_all(std::vector<Request> batch) = 0;
};

}  // namespace fencepost::evm
