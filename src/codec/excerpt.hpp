// Quotes caller input in error messages: printable and short.
#pragma once

#include <string>
#include <string_view>

#include "base/text/printable.hpp"

namespace fencepost::codec {

inline constexpr std::size_t max_excerpt = 80;

[[nodiscard]] inline std::string excerpt_of(std::string_view text) { return printable(as_bytes(text), max_excerpt); }

}  // namespace fencepost::codec
