// Decodes Error(string), Panic(uint256) and custom errors into safe text.
#include "codec/revert.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "base/text/printable.hpp"
#include "base/uint256.hpp"

namespace fencepost::codec {
namespace {

constexpr std::size_t word = 32;
constexpr std::size_t selector_length = 4;
constexpr std::size_t max_message = 512;
constexpr std::size_t max_hex_bytes = 128;
constexpr std::array<std::uint8_t, selector_length> error_selector{0x08, 0xc3, 0x79, 0xa0};  // Error(string)
constexpr std::array<std::uint8_t, selector_length> panic_selector{0x4e, 0x48, 0x7b, 0x71};  // Panic(uint256)

/// The word at `offset` as a length or an offset; empty when it is missing or larger than the data.
std::optional<std::size_t> size_at(ByteView arguments, std::size_t offset) {
    if (arguments.size() < word || offset > arguments.size() - word) return std::nullopt;
    return Uint256::from_big_endian(arguments.subspan(offset, word))->to_uint64();
}

std::optional<std::string> message(ByteView arguments) {
    const auto offset = size_at(arguments, 0);
    const auto length = offset ? size_at(arguments, *offset) : std::nullopt;
    if (!length) return std::nullopt;
    const ByteView rest = arguments.subspan(*offset + word);
    if (*length > rest.size()) return std::nullopt;
    return printable(rest.first(*length), max_message);
}

std::string panic_in_words(const Uint256& code) {
    static constexpr std::array<std::pair<std::uint64_t, std::string_view>, 10> codes{{
        {0x00, "generic compiler panic"},
        {0x01, "assertion failed"},
        {0x11, "arithmetic overflow or underflow"},
        {0x12, "division or modulo by zero"},
        {0x21, "value out of range of its enum"},
        {0x22, "storage byte array incorrectly encoded"},
        {0x31, "pop on an empty array"},
        {0x32, "array index out of bounds"},
        {0x41, "too much memory allocated"},
        {0x51, "call of an uninitialised function variable"},
    }};
    for (const auto& [known, words] : codes) {
        if (code == Uint256(known)) return fmt::format("{} (panic 0x{:02x})", words, known);
    }
    return fmt::format("panic {}", code.to_quantity());
}

std::string cut_hex(ByteView data) {
    if (data.size() <= max_hex_bytes) return to_hex_prefixed(data);
    return fmt::format("{}… ({} bytes)", to_hex_prefixed(data.first(max_hex_bytes)), data.size());
}

bool starts_with(ByteView data, const std::array<std::uint8_t, selector_length>& selector) {
    return data.size() >= selector_length && std::ranges::equal(data.first(selector_length), selector);
}

}  // namespace

RevertReason decode_revert(ByteView data) {
    if (data.empty()) return {};
    if (starts_with(data, error_selector)) {
        if (auto text = message(data.subspan(selector_length))) return {RevertReason::Kind::message, std::move(*text)};
    }
    if (starts_with(data, panic_selector) && data.size() == selector_length + word) {
        return {RevertReason::Kind::panic, panic_in_words(*Uint256::from_big_endian(data.subspan(selector_length)))};
    }
    return {RevertReason::Kind::custom, cut_hex(data)};
}

}  // namespace fencepost::codec
