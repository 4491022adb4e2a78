// Strong types for ids and quantities, so that two of them cannot be swapped by mistake.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/strong.hpp"
#include "base/uint256.hpp"
#include "base/uuid.hpp"

namespace fencepost {

/// The id that the caller receives for an accepted intent.
using TxId = Strong<Uuid, struct TxIdTag>;
/// The caller's id of a request (idempotency key); unique per submitter.
using RequestId = Strong<std::string, struct RequestIdTag>;
/// The order in which intents were accepted: a database sequence, not the id, because ids are created before the
/// commit.
using AcceptSequence = Ordinal<struct AcceptSequenceTag>;

/// One incarnation of a node. A restarted process is a different node, so that it is never confused with its
/// predecessor.
using NodeId = Strong<std::string, struct NodeIdTag>;
/// Increased by every opening of a lane; never restarts (law 1).
using FenceToken = Ordinal<struct FenceTokenTag>;

using Nonce = Ordinal<struct NonceTag>;
using BlockNumber = Ordinal<struct BlockNumberTag>;
using Gas = Ordinal<struct GasTag>;
using Wei = Strong<Uint256, struct WeiTag>;

using TxHash = FixedBytes<32, struct TxHashTag>;
using BlockHash = FixedBytes<32, struct BlockHashTag>;

}  // namespace fencepost
