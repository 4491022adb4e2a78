#include "cli/json_fields.hpp"

#include <cstdint>
#include <span>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/text/printable.hpp"
#include "domain/amount_text.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t longest_text = 4000;  // more than a terminal can show

std::string shown(std::string_view text) {
    return printable(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), longest_text);
}

}  // namespace

Result<json::value, ParseError> parse_document(std::string_view text) {
    boost::system::error_code error;
    auto document = json::parse(text, error);
    if (error) return err(ParseError{fmt::format("invalid JSON: {}", error.message())});
    return document;
}

const json::value* find(const json::value& document, std::string_view pointer) {
    boost::system::error_code error;
    const auto* const found = document.find_pointer(pointer, error);
    return error || found == nullptr || found->is_null() ? nullptr : found;
}

std::string text_at(const json::value& document, std::string_view pointer) {
    const auto* const found = find(document, pointer);
    if (found == nullptr) return "";
    if (found->is_string()) return shown(found->get_string());
    if (found->is_bool()) return found->get_bool() ? "yes" : "no";
    if (found->is_double()) return fmt::format("{}", found->get_double());
    return shown(json::serialize(*found));
}

std::optional<bool> bool_at(const json::value& document, std::string_view pointer) {
    const auto* const found = find(document, pointer);
    if (found == nullptr || !found->is_bool()) return std::nullopt;
    return found->get_bool();
}

bool is_true_at(const json::value& document, std::string_view pointer) {
    return bool_at(document, pointer).value_or(false);
}

const json::array& array_at(const json::value& document, std::string_view pointer) {
    static const json::array none;
    const auto* const found = find(document, pointer);
    return found != nullptr && found->is_array() ? found->get_array() : none;
}

std::string amount_at(const json::value& document, std::string_view pointer) {
    auto text = text_at(document, pointer);
    const auto amount = Uint256::parse(text);
    return amount ? amount_text(*amount) : text;
}

}  // namespace fencepost::cli
