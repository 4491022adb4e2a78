// Where a connector holds the key, this takes the place of signing and broadcasting: what it is to be asked for is on
// record, then it is asked, and what it answers becomes an attempt once its hash is known. A hash that was not told is
// derived where the connector can; otherwise the transaction is in the grey zone.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

[[nodiscard]] ClaimedSend claim_of(AttemptKind kind, UnsignedTransaction transaction);
[[nodiscard]] UnsignedTransaction unsigned_of(const SubmitterId& submitter, const ClaimedSend& claim);

/// Asks the connector, one after the other. Behind one of which nobody knows whether it was sent, nothing is asked for.
void start_submitting(LaneContext& lane, const LaneMemory& memory, std::vector<ClaimedSend> claims);
void take_submitted(LaneContext& lane, LaneMemory& memory, const Submitted& submitted, Turn& turn);

/// Which of these the transaction with this hash is; none of them, or nobody could tell.
[[nodiscard]] Task<RpcResult<std::optional<ClaimedSend>>> match_claim(LaneContext* context, TxHash hash,
                                                                      std::vector<ClaimedSend> claims);
/// The hash goes on record, and is watched for.
void take_found(LaneContext& lane, LaneMemory& memory, const SubmissionFound& found, Turn& turn);

}  // namespace fencepost::lane
