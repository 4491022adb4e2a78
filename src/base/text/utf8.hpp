// UTF-8 validation: everything that is stored, displayed or put into JSON must be UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace fencepost {

/// The length in bytes of the first character; 0 if it is invalid (RFC 3629: no overlong form, no surrogate). `rest`
/// must not be empty.
[[nodiscard]] std::size_t utf8_length(std::string_view rest);

[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace fencepost
