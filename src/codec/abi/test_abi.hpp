// Generates random functions with matching arguments for tests, reproducible by seed: every type, nested, with a
// preference for integer limits and for lengths at word boundaries.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.hpp"
#include "base/crypto/xoshiro256.hpp"
#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "codec/abi/abi_type.hpp"
#include "domain/address.hpp"

namespace fencepost::codec::test {

/// A number as an ABI word in hexadecimal.
inline std::string word(std::uint64_t value) { return to_hex(Uint256(value).to_big_endian()); }

struct AbiCase {
    std::string signature;  // parameters and components have names
    std::string canonical;  // without names
    std::string by_order;   // the arguments as JSON, tuples as arrays
    std::string by_name;    // tuples as objects
};

class RandomAbi {
public:
    explicit RandomAbi(std::uint64_t seed) : random_({seed, 1, 2, 3}) {
        for (int i = 0; i < 16; ++i)  // similar seeds must not start alike
            (void)random_.next();
    }

    [[nodiscard]] AbiCase next() {
        std::vector<std::string> named;
        std::vector<std::string> plain;
        std::vector<std::string> by_order;
        std::vector<std::string> by_name;
        const auto count = below(5);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto type = any_type(3);
            const auto value = value_of(type);
            named.push_back(fmt::format("{} p{}", spelled(type), i));
            plain.push_back(codec::canonical(type));
            by_order.push_back(value.by_order);
            by_name.push_back(value.by_name);
        }
        const auto name = fmt::format("f{}", below(1'000));
        return {.signature = fmt::format("function {}({})", name, fmt::join(named, ", ")),
                .canonical = fmt::format("{}({})", name, fmt::join(plain, ",")),
                .by_order = fmt::format("[{}]", fmt::join(by_order, ",")),
                .by_name = fmt::format("[{}]", fmt::join(by_name, ","))};
    }

private:
    using Kind = AbiType::Kind;
    struct Value {
        std::string by_order;
        std::string by_name;
    };

    std::uint64_t below(std::uint64_t bound) { return random_.next() % bound; }

    AbiType any_type(unsigned depth) {
        static constexpr std::uint64_t simple_kinds = 7;
        const auto kind = static_cast<Kind>(below(depth == 0 ? simple_kinds : simple_kinds + 3));
        AbiType type{.kind = kind};
        if (kind == Kind::unsigned_integer || kind == Kind::signed_integer) type.size = 8 * (1 + below(32));
        if (kind == Kind::fixed_bytes) type.size = 1 + below(32);
        if (kind == Kind::fixed_array) type.size = 1 + below(3);
        if (kind == Kind::array || kind == Kind::fixed_array) type.inner.push_back(any_type(depth - 1));
        if (kind == Kind::tuple) {
            const auto count = 1 + below(4);
            for (std::uint64_t i = 0; i < count; ++i) {
                type.inner.push_back(any_type(depth - 1));
                type.inner.back().name = fmt::format("c{}", i);
            }
        }
        return type;
    }

    /// With component names, and sometimes in a longer notation than necessary.
    std::string spelled(const AbiType& type) {
        if (type.kind == Kind::array) return spelled(type.inner.front()) + "[]";
        if (type.kind == Kind::fixed_array) return fmt::format("{}[{}]", spelled(type.inner.front()), type.size);
        if (type.kind != Kind::tuple) return codec::canonical(type);
        std::string text = below(2) == 0 ? "tuple(" : "(";
        for (const auto& component : type.inner)
            text += fmt::format("{}{} {}", text.back() == '(' ? "" : ", ", spelled(component), component.name);
        return text + ")";
    }

    Value value_of(const AbiType& type) {
        switch (type.kind) {
            case Kind::unsigned_integer:
            case Kind::signed_integer:
                return same(integer(type));
            case Kind::address: {
                const auto address = Address{*Address::from(bytes(Address::length))};
                return same(quoted(below(2) == 0 ? address.to_checksum() : address.to_lower()));
            }
            case Kind::boolean:
                return same(below(2) == 0 ? "true" : "false");
            case Kind::fixed_bytes:
                return same(quoted(to_hex_prefixed(bytes(type.size))));
            case Kind::bytes:
                return same(quoted(to_hex_prefixed(bytes(any_length()))));
            case Kind::string:
                return same(quoted(string()));
            case Kind::array:
            case Kind::fixed_array:
            case Kind::tuple:
                return values_of(type);
        }
        FP_UNREACHABLE();
    }

    Value values_of(const AbiType& type) {
        const bool is_tuple = type.kind == Kind::tuple;
        const auto count = is_tuple ? type.inner.size() : type.kind == Kind::fixed_array ? type.size : below(4);
        std::vector<std::string> by_order;
        std::vector<std::string> by_name;
        for (std::size_t i = 0; i < count; ++i) {
            const auto& inner = type.inner[is_tuple ? i : 0];
            const auto value = value_of(inner);
            by_order.push_back(value.by_order);
            by_name.push_back(is_tuple ? fmt::format("{}:{}", quoted(inner.name), value.by_name) : value.by_name);
        }
        return {fmt::format("[{}]", fmt::join(by_order, ",")),
                fmt::format(fmt::runtime(is_tuple ? "{{{}}}" : "[{}]"), fmt::join(by_name, ","))};
    }

    std::string integer(const AbiType& type) {
        const bool has_sign = type.kind == Kind::signed_integer;
        const bool negative = has_sign && below(2) == 0;
        const auto magnitude = magnitude_below(has_sign ? type.size - 1 : type.size);
        // The magnitude of the lowest negative value is one above that of the highest positive value.
        const auto number = negative ? magnitude + 1 : magnitude;
        const auto text = (negative ? "-" : "") + (below(3) == 0 ? number.to_quantity() : number.to_decimal());
        const bool is_small = !(Uint256(1'000'000) < number) && text.find('x') == std::string::npos;
        return is_small && below(2) == 0 ? text : quoted(text);
    }

    /// Of at most this many bits; sometimes the maximum.
    Uint256 magnitude_below(std::size_t bits) {
        auto word = Uint256::max().to_big_endian();
        if (below(8) != 0) {
            for (auto& each : word)
                each = static_cast<std::uint8_t>(below(256));
        }
        const auto used = below(8) == 0 ? below(bits + 1) : bits;
        for (std::size_t bit = used; bit < 256; ++bit)
            word[31 - bit / 8] &= static_cast<std::uint8_t>(~(1U << (bit % 8)));
        return *Uint256::from_big_endian(word);
    }

    std::size_t any_length() {
        static constexpr std::array<std::size_t, 8> edges{0, 1, 31, 32, 33, 63, 64, 65};
        return below(2) == 0 ? edges.at(below(edges.size())) : below(200);
    }
    Bytes bytes(std::size_t count) {
        Bytes result(count);
        for (auto& each : result)
            each = static_cast<std::uint8_t>(below(256));
        return result;
    }
    std::string string() {
        static constexpr std::array<std::string_view, 6> pieces{"a", "é", "余额", "🙂", " ", "\\n"};
        std::string text;
        for (auto left = any_length(); left > 0; --left)
            text += pieces.at(below(pieces.size()));
        return text;
    }

    static std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }
    static Value same(const std::string& text) { return {text, text}; }

    Xoshiro256 random_;
};

}  // namespace fencepost::codec::test
