// The vocabulary of numbers and names. Each is a type of its own, so that two of them cannot be swapped by mistake.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/strong.hpp"
#include "base/uint256.hpp"
#include "base/uuid.hpp"

namespace fencepost {

/// The id a caller gets for an accepted intent.
using TxId = Strong<Uuid, struct TxIdTag>;
/// The caller's own id of a request; unique per submitter, which makes accepting idempotent.
using RequestId = Strong<std::string, struct RequestIdTag>;
/// The order in which intents were accepted: a database sequence, never the id (ids are made before the commit).
using AcceptSequence = Ordinal<struct AcceptSequenceTag>;

/// One incarnation of a node. A restarted process is another node: it must never be mistaken for its dead self.
using NodeId = Strong<std::string, struct NodeIdTag>;
/// Raised by every opening of a lane; never restarts (law 1).
using FenceToken = Ordinal<struct FenceTokenTag>;

using Nonce = Ordinal<struct NonceTag>;
using BlockNumber = Ordinal<struct BlockNumberTag>;
using Gas = Ordinal<struct GasTag>;
using Wei = Strong<Uint256, struct WeiTag>;

using TxHash = FixedBytes<32, struct TxHashTag>;
using BlockHash = FixedBytes<32, struct BlockHashTag>;

}  // namespace fencepost
