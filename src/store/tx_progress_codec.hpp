// JSON encoding of a transaction's progress. Short keys and omitted defaults, because the row is written often.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/tx/tx_progress.hpp"

namespace fencepost::store {

[[nodiscard]] std::string encode(const TxProgress& progress);
/// Empty when the text cannot be read, such as a newer version's; unknown fields are ignored.
[[nodiscard]] std::optional<TxProgress> decode_tx_progress(std::string_view text);

}  // namespace fencepost::store
