// What a person sees of a value in an answer. The server may be another version than this program, or no Fencepost at
// all: what is missing or of another kind is nothing here, never a crash.
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

/// A whole document, or why it is none.
[[nodiscard]] Result<json::value, ParseError> parse_document(std::string_view text);

/// By JSON pointer ("/receipt/gasUsed"); nothing when it is not there or null.
[[nodiscard]] const json::value* find(const json::value& document, std::string_view pointer);

/// As people read it: strings without quotes, safe for a terminal; yes and no; what is not there as nothing.
[[nodiscard]] std::string text_at(const json::value& document, std::string_view pointer);
[[nodiscard]] bool is_true_at(const json::value& document, std::string_view pointer);
[[nodiscard]] std::optional<bool> bool_at(const json::value& document, std::string_view pointer);
/// Empty when there is no array.
[[nodiscard]] const json::array& array_at(const json::value& document, std::string_view pointer);

/// An amount of wei for people, exactly: "0.1 ether", small ones in gwei or wei.
[[nodiscard]] std::string amount_text(const Uint256& wei);
/// The same of a value, decimal. What is no amount stays as it is.
[[nodiscard]] std::string amount_at(const json::value& document, std::string_view pointer);

}  // namespace fencepost::cli
