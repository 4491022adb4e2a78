// Whether bytes are text: what is stored, shown or put into JSON must be UTF-8, wherever it came from.
#pragma once

#include <cstddef>
#include <string_view>

namespace fencepost {

/// How many bytes the character at the start has; 0 when it is none (RFC 3629: no overlong form, no surrogate). `rest`
/// is not empty.
[[nodiscard]] std::size_t utf8_length(std::string_view rest);

[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace fencepost
