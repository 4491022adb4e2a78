// Whether endpoints agree. Nodes of different clients tell of the same block with more fields or fewer, so what both
// tell of must be equal, and what only one tells of does not count.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

[[nodiscard]] bool same_answer(const Json& a, const Json& b);

/// What at least so many endpoints answered to this item of a batch; an error is no answer.
[[nodiscard]] std::optional<Json> agreed_on(const std::vector<std::vector<Answer>>& heard, std::size_t item,
                                            std::size_t agreeing);
[[nodiscard]] bool all_agreed(const std::vector<std::vector<Answer>>& heard, std::size_t items, std::size_t agreeing);

}  // namespace fencepost::evm
