// Recursive-descent parser of function signatures.
#include "codec/abi/abi_parser.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/text/printable.hpp"
#include "codec/abi/abi_keywords.hpp"

namespace fencepost::codec {
namespace {

constexpr std::size_t max_error_length = 200;
constexpr std::size_t max_array_digits = 6;  // more elements than fit any transaction

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Characters of Solidity identifiers.
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$'; }

/// Nesting depth of tuples and arrays.
std::size_t depth_of(const AbiType& type) {
    std::size_t deepest = 0;
    for (const auto& inner : type.inner)
        deepest = std::max(deepest, depth_of(inner));
    return type.inner.empty() ? 0 : deepest + 1;
}

}  // namespace

Result<AbiFunction, ParseError> AbiParser::function() {
    if (text_.size() > max_abi_signature) {
        return err(ParseError{fmt::format("a signature has at most {} characters", max_abi_signature)});
    }
    auto name = function_name();
    if (!name) return err(std::move(name.error()));
    auto types = parameters(0);
    if (!types) return err(std::move(types.error()));
    if (auto rest = rest_of_function(); !rest) return err(std::move(rest.error()));
    return AbiFunction{std::move(*name), std::move(*types)};
}

Result<std::string, ParseError> AbiParser::function_name() {
    auto name = word();
    if (name == "function") name = word();
    if (name.empty()) return expected("a function name");
    const auto at = at_ - name.size();
    if (is_digit(name.front())) return refuse(at, "a name must not begin with a digit");
    if (name == "constructor") {
        return refuse(at, "a constructor cannot be called: set code and arguments as data, without a destination");
    }
    return std::string(name);
}

Status<ParseError> AbiParser::rest_of_function() {
    while (true) {
        skip_blanks();
        const auto at = at_;
        const auto next = word();
        if (next.empty()) break;
        if (next == "returns") {
            if (auto returned = parameters(0); !returned) return err(std::move(returned.error()));
        } else if (!is_function_modifier(next)) {
            return refuse(at, fmt::format("\"{}\" is not allowed after the parameters", next));
        }
    }
    (void)take(';');
    skip_blanks();
    if (at_ != text_.size()) return expected("the end of the signature");
    return {};
}

Result<AbiParser::Types, ParseError> AbiParser::parameters(std::size_t depth) {
    if (!take('(')) return expected("\"(\"");
    Types types;
    if (take(')')) return types;
    while (true) {
        auto next = parameter(depth);
        if (!next) return err(std::move(next.error()));
        types.push_back(std::move(*next));
        if (take(')')) return types;
        if (!take(',')) return expected("\",\" or \")\"");
    }
}

Result<AbiType, ParseError> AbiParser::parameter(std::size_t depth) {
    auto read = type(depth);
    if (!read) return read;
    auto name = optional_name();
    if (!name) return err(std::move(name.error()));
    read->name = std::move(*name);
    return read;
}

Result<AbiType, ParseError> AbiParser::type(std::size_t depth) {
    skip_blanks();
    const auto at = at_;
    auto read = type_without_brackets(depth);
    while (read && take('['))
        read = array_of(std::move(*read));
    if (read && depth + depth_of(*read) > max_abi_depth) {
        return refuse(at, fmt::format("tuples and arrays are nested deeper than {}", max_abi_depth));
    }
    return read;
}

Result<AbiType, ParseError> AbiParser::type_without_brackets(std::size_t depth) {
    skip_blanks();
    const auto at = at_;
    const auto name = word();
    if (!name.empty() && name != "tuple") {
        auto read = abi_type_of(name);
        if (!read) return refuse(at, read.error().what);
        if (name == "address") (void)take_word("payable");
        return read;
    }
    skip_blanks();
    if (name.empty() && (at_ == text_.size() || text_[at_] != '(')) return expected("a type");
    if (depth >= max_abi_depth) return refuse(at, "tuples are nested too deeply");
    auto components = parameters(depth + 1);
    if (!components) return err(std::move(components.error()));
    if (components->empty()) return refuse(at, "a tuple has at least one component");
    return AbiType{.kind = AbiType::Kind::tuple, .inner = std::move(*components)};
}

Result<AbiType, ParseError> AbiParser::array_of(AbiType element) {
    skip_blanks();
    const auto at = at_;
    const auto digits = word();
    if (!take(']')) return expected("\"]\"");
    AbiType array{.kind = AbiType::Kind::array};
    array.inner.push_back(std::move(element));
    if (digits.empty()) return array;

    array.kind = AbiType::Kind::fixed_array;
    const auto* const end = digits.data() + digits.size();
    const bool is_number = digits.front() != '0' && std::from_chars(digits.data(), end, array.size).ptr == end;
    if (!is_number || digits.size() > max_array_digits) {
        return refuse(at, fmt::format("\"{}\" is not an array length", digits));
    }
    return array;
}

Result<std::string, ParseError> AbiParser::optional_name() {
    skip_blanks();
    auto at = at_;
    auto name = word();
    if (is_data_location(name)) {
        skip_blanks();
        at = at_;
        name = word();
    }
    if (name.empty()) return std::string();
    if (is_digit(name.front())) return refuse(at, "a name must not begin with a digit");
    if (is_abi_type(name)) return refuse(at, fmt::format("a \",\" is missing before the type \"{}\"", name));
    return std::string(name);
}

std::string_view AbiParser::word() {
    skip_blanks();
    const auto start = at_;
    while (at_ < text_.size() && is_word(text_[at_]))
        ++at_;
    return text_.substr(start, at_ - start);
}

bool AbiParser::take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
}

bool AbiParser::take_word(std::string_view wanted) {
    const auto before = at_;
    if (word() == wanted) return true;
    at_ = before;
    return false;
}

void AbiParser::skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
        ++at_;
}

std::unexpected<ParseError> AbiParser::expected(std::string_view what) {
    skip_blanks();
    const auto rest = text_.substr(at_, 20);
    const auto found = rest.empty() ? "the signature ends" : fmt::format("\"{}\" was found", rest);
    return refuse(at_, fmt::format("{} is expected, and {}", what, found));
}

std::unexpected<ParseError> AbiParser::refuse(std::size_t at, std::string_view why) const {
    return err(ParseError{fmt::format("at character {}: {}", at + 1, printable(as_bytes(why), max_error_length))});
}

}  // namespace fencepost::codec
