// Before the first allocation of an opened lane the cursor is compared with the chain. At first contact there is no
// cursor, and it is taken from the chain; later, a chain that is ahead of it means that somebody else uses the key, or
// that the database forgot something (failure 30), and one that is behind what was final that it is another chain: the
// submitter is stopped rather than guessed about.
#pragma once

#include <optional>

#include "lane/loop/lane_context.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// Until when an answer that more endpoints, or the same a little later, may put right is not believed. It begins with
/// the first such answer of an opening.
struct Patience {
    std::optional<Instant> until{};
};

/// What is to be written before the lane starts: the cursor of a first contact, or a PROTECT with its reason. Nothing
/// when all is as it should be. An error says that the chain did not answer, or not as it should for so much: then it
/// is to be asked again.
[[nodiscard]] Task<RpcResult<std::optional<LaneWrite>>> compare_with_chain(LaneContext* context, LaneState state,
                                                                           Patience* patience);

/// An alert when what has just been committed stops the submitter; not before, for it may not be committed at all.
void tell_of_stop(const LaneContext& lane, const LaneWrite& written);

}  // namespace fencepost::lane
