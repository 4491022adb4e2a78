// Blanks out comments and literals, so that code rules do not match prose: a comment may say "steady_clock" and a
// message may contain "rand(". Offsets and line numbers stay the same.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::tidy {

/// Replaces comments by blanks. String and character literals stay, because an #include names its file in one.
[[nodiscard]] std::string without_comments(std::string_view text);

/// Replaces comments and the contents of string and character literals by blanks.
[[nodiscard]] std::string code_only(std::string_view text);

}  // namespace fencepost::tidy
