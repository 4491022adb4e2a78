// Decodes the URL of a request: percent-encoded path segments, and the query behind the '?'. It is strict, because
// another program might interpret a malformed URL differently.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace fencepost::http {

/// RFC 3986, section 2.1; none where a '%' is not followed by two hexadecimal digits, or the result is not UTF-8 or
/// contains a NUL.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

class Query {
public:
    /// "a=1&b=2", encoded as by HTML forms: a plus is a space. An error when an encoding is invalid, a name is empty,
    /// or a name occurs twice.
    [[nodiscard]] static Result<Query, ParseError> parse(std::string_view text);

    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    [[nodiscard]] auto begin() const { return pairs_.begin(); }
    [[nodiscard]] auto end() const { return pairs_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace fencepost::http
