// Case-insensitive search in node error messages that matches from the start of a word only: "unknown transaction" does
// not contain "known transaction".
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace fencepost::evm {

[[nodiscard]] inline std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

/// Whether `text`, in lower case, contains `words` at the start of a word.
[[nodiscard]] inline bool says(std::string_view text, std::string_view words) {
    for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0) return true;
    }
    return false;
}

}  // namespace fencepost::evm
