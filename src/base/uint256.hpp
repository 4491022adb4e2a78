// Amounts on an EVM chain are unsigned 256-bit integers. Arithmetic here never wraps: an operator that would overflow
// is a programmer's mistake and aborts; where input from outside can cause it, the checked_* functions say so instead.
// Boost.Multiprecision does what is more than carrying, in the .cpp only: its headers are heavy and its integers wrap
// or throw.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace fencepost {

class Uint256 {
public:
    constexpr Uint256() = default;
    constexpr Uint256(std::uint64_t value) : limbs_{value, 0, 0, 0} {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] static Uint256 max();

    /// Decimal digits, or hexadecimal ones after "0x". No sign, no blanks, no exponent, no fraction.
    [[nodiscard]] static Result<Uint256, ParseError> parse(std::string_view text);
    /// Up to 32 bytes, the most significant first; nothing if there are more.
    [[nodiscard]] static std::optional<Uint256> from_big_endian(ByteView bytes);

    [[nodiscard]] std::string to_decimal() const;
    /// "0x" and no leading zeros, as JSON-RPC wants quantities: zero is "0x0".
    [[nodiscard]] std::string to_quantity() const;
    [[nodiscard]] std::array<std::uint8_t, 32> to_big_endian() const;
    [[nodiscard]] std::optional<std::uint64_t> to_uint64() const;
    [[nodiscard]] bool is_zero() const { return *this == Uint256{}; }

    [[nodiscard]] static std::optional<Uint256> checked_add(const Uint256& a, const Uint256& b);
    [[nodiscard]] static std::optional<Uint256> checked_sub(const Uint256& a, const Uint256& b);
    [[nodiscard]] static std::optional<Uint256> checked_mul(const Uint256& a, const Uint256& b);
    /// ⌈value × numerator / denominator⌉ with an intermediate result of any size; nothing if it does not fit.
    [[nodiscard]] static std::optional<Uint256> checked_scale_up(const Uint256& value, std::uint64_t numerator,
                                                                 std::uint64_t denominator);

    friend Uint256 operator+(const Uint256& a, const Uint256& b);
    friend Uint256 operator-(const Uint256& a, const Uint256& b);
    friend Uint256 operator*(const Uint256& a, const Uint256& b);
    friend Uint256 operator/(const Uint256& a, const Uint256& b);
    friend Uint256 operator%(const Uint256& a, const Uint256& b);

    friend constexpr bool operator==(const Uint256&, const Uint256&) = default;
    friend constexpr std::strong_ordering operator<=>(const Uint256& a, const Uint256& b) {
        for (std::size_t i = limb_count; i-- > 0;) {
            if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
        }
        return std::strong_ordering::equal;
    }

private:
    static constexpr std::size_t limb_count = 4;
    struct Wide;  // the conversion to and from Boost's integer

    std::array<std::uint64_t, limb_count> limbs_{};  // least significant first
};

}  // namespace fencepost

template <>
struct fmt::formatter<fencepost::Uint256> : fmt::formatter<std::string> {
    auto format(const fencepost::Uint256& value, format_context& ctx) const {
        return fmt::formatter<std::string>::format(value.to_decimal(), ctx);
    }
};
