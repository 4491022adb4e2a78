// Whether endpoints agree. Clients return the same block with more or fewer fields: fields that both return must be
// equal, fields that only one returns are ignored.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

[[nodiscard]] bool answers_agree(const Json& a, const Json& b);

/// The answer that at least `agreeing` endpoints gave to this item of a batch; an error is not an answer.
[[nodiscard]] std::optional<Json> agreed_on(const std::vector<std::vector<Answer>>& heard, std::size_t item,
                                            std::size_t agreeing);
[[nodiscard]] bool all_agreed(const std::vector<std::vector<Answer>>& heard, std::size_t items, std::size_t agreeing);

}  // namespace fencepost::evm
