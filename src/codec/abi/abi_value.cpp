// Converts elementary JSON values to ABI words.
#include "codec/abi/abi_value.hpp"

#include <string>
#include <utility>

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "codec/abi/abi_integer.hpp"
#include "codec/excerpt.hpp"
#include "domain/address.hpp"

namespace fencepost::codec {
namespace {

namespace json = boost::json;
using Encoded = Result<Bytes, ParseError>;

Encoded refuse(std::string what) { return err(ParseError{std::move(what)}); }

Encoded wrong_kind(std::string_view wanted, const json::value& value) {
    return refuse(fmt::format("{} is expected, not {}", wanted, kind_in_words(value)));
}

Encoded integer(const AbiType& type, const json::value& value) {
    if (const auto* text = value.if_string()) return encode_abi_integer(type, *text);
    if (const auto* number = value.if_int64()) return encode_abi_number(type, *number);
    if (value.is_uint64() || value.is_double()) {
        return refuse(
            "a JSON number must be an integer below 2^53, since others may have lost digits: write it as a string");
    }
    return wrong_kind("an integer, as a string of decimal digits or of 0x and hexadecimal ones,", value);
}

Encoded address(const json::value& value) {
    const auto* text = value.if_string();
    if (text == nullptr) return wrong_kind("an address, as a string,", value);
    const auto parsed = Address::parse(*text);
    if (!parsed) return refuse(printable(as_bytes(parsed.error().what), 2 * max_excerpt));
    Bytes word(abi_word - Address::length);
    word.insert(word.end(), parsed->data.begin(), parsed->data.end());
    return word;
}

Encoded boolean(const json::value& value) {
    const auto* flag = value.if_bool();
    if (flag == nullptr) return wrong_kind("true or false", value);
    return abi_word_of(*flag ? 1 : 0);
}

Encoded hex(const json::value& value) {
    static constexpr std::string_view wanted = "0x and an even number of hexadecimal digits";
    const auto* text = value.if_string();
    if (text == nullptr) return wrong_kind(fmt::format("a string of {}", wanted), value);
    auto bytes = std::string_view(*text).starts_with("0x") ? from_hex(*text) : refuse("");
    if (!bytes) return refuse(fmt::format("\"{}\" is not {}", excerpt_of(*text), wanted));
    return bytes;
}

void fill_last_word(Bytes& bytes) { bytes.resize((bytes.size() + abi_word - 1) / abi_word * abi_word); }

Encoded fixed_bytes(std::size_t size, const json::value& value) {
    auto bytes = hex(value);
    if (!bytes) return bytes;
    if (bytes->size() != size) return refuse(fmt::format("{} bytes are expected, not {}", size, bytes->size()));
    fill_last_word(*bytes);
    return bytes;
}

Bytes with_length(ByteView bytes) {
    Bytes encoded = abi_word_of(bytes.size());
    encoded.insert(encoded.end(), bytes.begin(), bytes.end());
    fill_last_word(encoded);
    return encoded;
}

Encoded dynamic_bytes(const json::value& value) {
    const auto bytes = hex(value);
    if (!bytes) return bytes;
    return with_length(*bytes);
}

Encoded string(const json::value& value) {
    const auto* text = value.if_string();
    if (text == nullptr) return wrong_kind("a string", value);
    return with_length(as_bytes(*text));
}

}  // namespace

Bytes abi_word_of(std::uint64_t number) {
    const auto word = Uint256(number).to_big_endian();
    return {word.begin(), word.end()};
}

Encoded encode_abi_value(const AbiType& type, const json::value& value) {
    switch (type.kind) {
        case AbiType::Kind::unsigned_integer:
        case AbiType::Kind::signed_integer:
            return integer(type, value);
        case AbiType::Kind::address:
            return address(value);
        case AbiType::Kind::boolean:
            return boolean(value);
        case AbiType::Kind::fixed_bytes:
            return fixed_bytes(type.size, value);
        case AbiType::Kind::bytes:
            return dynamic_bytes(value);
        case AbiType::Kind::string:
            return string(value);
        case AbiType::Kind::array:
        case AbiType::Kind::fixed_array:
        case AbiType::Kind::tuple:
            break;
    }
    FP_UNREACHABLE();
}

std::string_view kind_in_words(const json::value& value) {
    switch (value.kind()) {
        case json::kind::null:
            return "null";
        case json::kind::bool_:
            return "true or false";
        case json::kind::int64:
        case json::kind::uint64:
        case json::kind::double_:
            return "a number";
        case json::kind::string:
            return "a string";
        case json::kind::array:
            return "an array";
        case json::kind::object:
            return "an object";
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::codec
