// Recognises type names and modifiers in a signature.
#include "codec/abi/abi_keywords.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

namespace fencepost::codec {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The number after a type's name, without leading zeros; empty unless it has up to three digits.
std::optional<std::size_t> size_in(std::string_view digits) {
    if (!all_digits(digits) || digits.size() > 3 || digits.front() == '0') return std::nullopt;
    std::size_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    return size;
}

Result<AbiType, ParseError> integer(AbiType::Kind kind, std::string_view word, std::string_view digits) {
    if (digits.empty()) return AbiType{.kind = kind, .size = 256};
    const auto bits = size_in(digits);
    if (bits && *bits % 8 == 0 && *bits <= 256) return AbiType{.kind = kind, .size = *bits};
    return err(ParseError{fmt::format("\"{}\" is not a type: an integer has 8, 16, 24 … 256 bits", word)});
}

Result<AbiType, ParseError> bytes(std::string_view word, std::string_view digits) {
    if (digits.empty()) return AbiType{.kind = AbiType::Kind::bytes};
    const auto size = size_in(digits);
    if (size && *size <= 32) return AbiType{.kind = AbiType::Kind::fixed_bytes, .size = *size};
    return err(ParseError{fmt::format("\"{}\" is not a type: use bytes1 to bytes32, or bytes", word)});
}

/// The rest after `prefix`, if it is empty or digits.
std::optional<std::string_view> digits_after(std::string_view prefix, std::string_view word) {
    if (!word.starts_with(prefix)) return std::nullopt;
    const auto rest = word.substr(prefix.size());
    if (!rest.empty() && !all_digits(rest)) return std::nullopt;
    return rest;
}

}  // namespace

Result<AbiType, ParseError> abi_type_of(std::string_view word) {
    if (word == "address") return AbiType{.kind = AbiType::Kind::address};
    if (word == "bool") return AbiType{.kind = AbiType::Kind::boolean};
    if (word == "string") return AbiType{.kind = AbiType::Kind::string};
    if (const auto digits = digits_after("uint", word)) return integer(AbiType::Kind::unsigned_integer, word, *digits);
    if (const auto digits = digits_after("int", word)) return integer(AbiType::Kind::signed_integer, word, *digits);
    if (const auto digits = digits_after("bytes", word)) return bytes(word, *digits);
    if (is_one_of(word, {"byte", "function"}) || word.starts_with("fixed") || word.starts_with("ufixed")) {
        return err(ParseError{fmt::format("the type \"{}\" is not supported", word)});
    }
    return err(ParseError{
        fmt::format("\"{}\" is not an ABI type (an enum is uint8, a contract address, a struct a tuple)", word)});
}

bool is_abi_type(std::string_view word) { return abi_type_of(word).has_value() || word == "tuple"; }

bool is_data_location(std::string_view word) { return is_one_of(word, {"memory", "calldata", "storage"}); }

bool is_function_modifier(std::string_view word) {
    return is_one_of(word, {"external", "public", "payable", "nonpayable", "view", "pure", "virtual", "override"});
}

}  // namespace fencepost::codec
