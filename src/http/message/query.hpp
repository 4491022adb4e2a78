// What a caller wrote into the address of a request: percent-encoded parts of the path, and the query behind the '?'.
// Strict, because what is guessed here is guessed differently by the next program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace fencepost::http {

/// RFC 3986, section 2.1; nothing where a '%' is not followed by two hexadecimal digits, or what comes out is not
/// UTF-8 or holds a NUL.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

class Query {
public:
    /// "a=1&b=2", as HTML forms encode it: a plus is a blank. An error when an encoding is wrong, a name is empty, or a
    /// name stands twice.
    [[nodiscard]] static Result<Query, ParseError> parse(std::string_view text);

    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    [[nodiscard]] auto begin() const { return pairs_.begin(); }
    [[nodiscard]] auto end() const { return pairs_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace fencepost::http
