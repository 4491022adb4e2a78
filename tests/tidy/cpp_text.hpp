// Rules about code must not judge prose: a comment may say "steady_clock" and a message may contain "rand(". This
// blanks out what is not code and keeps every offset and line where it was.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::tidy {

/// Comments become blanks. String and character literals stay: an #include names its file in one.
[[nodiscard]] std::string without_comments(std::string_view text);

/// Comments and the insides of string and character literals become blanks.
[[nodiscard]] std::string code_only(std::string_view text);

}  // namespace fencepost::tidy
