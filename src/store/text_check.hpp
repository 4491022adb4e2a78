// Checks that text from callers fits every store: one caller's odd request id must not fail a whole batch.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::store {

/// Empty when the text can be stored; otherwise the reason, for the caller: empty, longer than 256 bytes, contains a
/// NUL, or not UTF-8.
[[nodiscard]] std::string storability_error(std::string_view request_id);

/// The text with every byte that databases reject (NUL, invalid UTF-8) replaced by U+FFFD. For text that is only passed
/// on: an endpoint's odd error message must not fail a batch.
[[nodiscard]] std::string storable(std::string_view text);

}  // namespace fencepost::store
