// What a caller calls a request must fit every store, or one caller's odd name would fail a whole batch.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::store {

/// Empty when the text can be stored; otherwise why not, for the caller: it is empty, longer than 256 bytes, has a NUL,
/// or is not UTF-8.
[[nodiscard]] std::string why_not_storable(std::string_view request_id);

/// The text with every byte that no database takes (NUL, and what is no UTF-8) replaced by U+FFFD. For what nodes and
/// people wrote and we only pass on: an endpoint's odd error message must not fail a batch.
[[nodiscard]] std::string storable(std::string_view text);

}  // namespace fencepost::store
