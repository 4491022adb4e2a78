// A transaction's progress as the stores keep it: JSON with short keys, for the row is written often. What is at its
// default is left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/tx/tx_progress.hpp"

namespace fencepost::store {

[[nodiscard]] std::string encode(const TxProgress& progress);
/// None of what it cannot read, a newer version's say; what it reads and does not know is left out.
[[nodiscard]] std::optional<TxProgress> decode_tx_progress(std::string_view text);

}  // namespace fencepost::store
