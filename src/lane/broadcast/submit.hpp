// Signing and broadcasting through a connector that holds the key: the request is recorded, then sent, and its answer
// becomes an attempt once the hash is known. A missing hash is computed if the connector supports it; otherwise the
// transaction enters the grey zone.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

[[nodiscard]] ClaimedSend claim_of(AttemptKind kind, UnsignedTransaction transaction);
[[nodiscard]] UnsignedTransaction unsigned_of(const SubmitterId& submitter, const ClaimedSend& claim);

/// Sends the requests to the connector sequentially. Nothing is requested behind a transaction with an unknown result.
void start_submit(LaneContext& lane, const LaneMemory& memory, std::vector<ClaimedSend> claims);
void handle_submitted(LaneContext& lane, LaneMemory& memory, const Submitted& submitted, Turn& turn);

/// Matches the transaction with this hash to one of the claims; none if it matches none, an error if no endpoint could
/// tell.
[[nodiscard]] Task<RpcResult<std::optional<ClaimedSend>>> match_claim(LaneContext* context, TxHash hash,
                                                                      std::vector<ClaimedSend> claims);
/// Records the hash and watches it.
void handle_found(LaneContext& lane, LaneMemory& memory, const SubmissionFound& found, Turn& turn);

}  // namespace fencepost::lane
