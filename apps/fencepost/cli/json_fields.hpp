// Reads fields of a response for display. The server may be another version, or not Fencepost at all, so a missing
// field or another type yields nothing and never a crash.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/result.hpp"
#include "base/uint256.hpp"

namespace fencepost::cli {

namespace json = boost::json;

/// Parses a whole document, or says why it is invalid.
[[nodiscard]] Result<json::value, ParseError> parse_document(std::string_view text);

/// By JSON pointer ("/receipt/gasUsed"); null when the value is absent or null.
[[nodiscard]] const json::value* find(const json::value& document, std::string_view pointer);

/// The value as display text: strings without quotes, safe for a terminal; booleans as yes and no; absent as empty.
[[nodiscard]] std::string text_at(const json::value& document, std::string_view pointer);
[[nodiscard]] bool is_true_at(const json::value& document, std::string_view pointer);
[[nodiscard]] std::optional<bool> bool_at(const json::value& document, std::string_view pointer);
/// Empty when the value is not an array.
[[nodiscard]] const json::array& array_at(const json::value& document, std::string_view pointer);

/// An amount of wei in a document, as amount_text() shows it. A value that is not an amount is shown unchanged.
[[nodiscard]] std::string amount_at(const json::value& document, std::string_view pointer);

}  // namespace fencepost::cli
