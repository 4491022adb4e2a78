#include "base/uint256.hpp"

#include <algorithm>

#include <boost/multiprecision/cpp_int.hpp>

#include "base/assert.hpp"
#include "base/text/hex.hpp"

namespace fencepost {
namespace {

namespace mp = boost::multiprecision;

// Wide enough for a 256-bit value times a 256-bit one: every intermediate result is exact, and overflow is one compare.
using Integer = mp::number<mp::cpp_int_backend<576, 576, mp::unsigned_magnitude, mp::unchecked, void>>;

}  // namespace

struct Uint256::Wide {
    // Both keep numbers in limbs of 64 bits, the least significant first. import_bits() and shifts would cost more than
    // the arithmetic.
    static_assert(sizeof(mp::limb_type) == sizeof(std::uint64_t));

    static Integer widen(const Uint256& value) {
        Integer result;
        auto& backend = result.backend();
        backend.resize(limb_count, limb_count);
        std::ranges::copy(value.limbs_, backend.limbs());
        backend.normalize();
        return result;
    }

    static std::optional<Uint256> narrow(const Integer& value) {
        const auto& backend = value.backend();
        if (backend.size() > limb_count) return std::nullopt;
        Uint256 result;
        std::copy_n(backend.limbs(), backend.size(), result.limbs_.begin());
        return result;
    }
};

Uint256 Uint256::max() {
    Uint256 result;
    result.limbs_.fill(~std::uint64_t{0});
    return result;
}

Result<Uint256, ParseError> Uint256::parse(std::string_view text) {
    const auto refuse = [text](std::string_view why) {
        return err(ParseError{fmt::format("\"{}\" is not an unsigned integer: {}", text, why)});
    };
    const bool hexadecimal = text.starts_with("0x");
    const std::string_view digits = hexadecimal ? text.substr(2) : text;
    const std::uint64_t base = hexadecimal ? 16 : 10;
    if (digits.empty()) return refuse("it has no digits");
    // 78 decimal digits hold every 256-bit value; a longer text is either padded or too large, and costs no more time.
    if (digits.size() > 78) return refuse("it has too many digits");

    Integer value = 0;
    for (const char c : digits) {
        const int digit = hex_digit(c);
        if (digit < 0 || static_cast<std::uint64_t>(digit) >= base)
            return refuse("it has a character that is no digit");
        value = value * base + static_cast<std::uint64_t>(digit);
    }
    const auto result = Wide::narrow(value);
    if (!result) return refuse("it does not fit 256 bits");
    return *result;
}

std::optional<Uint256> Uint256::from_big_endian(ByteView bytes) {
    if (bytes.size() > 32) return std::nullopt;
    if (bytes.empty()) return Uint256{};  // import_bits leaves a value of no limbs, which is no zero
    Integer value;
    mp::import_bits(value, bytes.begin(), bytes.end(), 8);
    return Wide::narrow(value);
}

std::string Uint256::to_decimal() const { return Wide::widen(*this).str(); }

std::string Uint256::to_quantity() const {
    const std::string padded = to_hex(to_big_endian());
    const auto first = padded.find_first_not_of('0');
    return first == std::string::npos ? "0x0" : "0x" + padded.substr(first);
}

std::array<std::uint8_t, 32> Uint256::to_big_endian() const {
    std::array<std::uint8_t, 32> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint64_t limb = limbs_[i / 8];
        bytes[bytes.size() - 1 - i] = static_cast<std::uint8_t>(limb >> (8 * (i % 8)));
    }
    return bytes;
}

std::optional<std::uint64_t> Uint256::to_uint64() const {
    if (limbs_[1] != 0 || limbs_[2] != 0 || limbs_[3] != 0) return std::nullopt;
    return limbs_[0];
}

std::optional<Uint256> Uint256::checked_add(const Uint256& a, const Uint256& b) {
    Uint256 sum;
    unsigned long long carry = 0;
    for (std::size_t i = 0; i < limb_count; ++i)
        sum.limbs_[i] = __builtin_addcll(a.limbs_[i], b.limbs_[i], carry, &carry);
    if (carry != 0) return std::nullopt;
    return sum;
}

std::optional<Uint256> Uint256::checked_sub(const Uint256& a, const Uint256& b) {
    Uint256 difference;
    unsigned long long borrow = 0;
    for (std::size_t i = 0; i < limb_count; ++i)
        difference.limbs_[i] = __builtin_subcll(a.limbs_[i], b.limbs_[i], borrow, &borrow);
    if (borrow != 0) return std::nullopt;
    return difference;
}

std::optional<Uint256> Uint256::checked_mul(const Uint256& a, const Uint256& b) {
    return Wide::narrow(Wide::widen(a) * Wide::widen(b));
}

std::optional<Uint256> Uint256::checked_scale_up(const Uint256& value, std::uint64_t numerator,
                                                 std::uint64_t denominator) {
    FP_ASSERT(denominator != 0);
    return Wide::narrow((Wide::widen(value) * numerator + (denominator - 1)) / denominator);
}

Uint256 operator+(const Uint256& a, const Uint256& b) {
    const auto sum = Uint256::checked_add(a, b);
    FP_ASSERT(sum.has_value(), "{} + {} overflows", a, b);
    return *sum;
}

Uint256 operator-(const Uint256& a, const Uint256& b) {
    const auto difference = Uint256::checked_sub(a, b);
    FP_ASSERT(difference.has_value(), "{} - {} is negative", a, b);
    return *difference;
}

Uint256 operator*(const Uint256& a, const Uint256& b) {
    const auto product = Uint256::checked_mul(a, b);
    FP_ASSERT(product.has_value(), "{} * {} overflows", a, b);
    return *product;
}

Uint256 operator/(const Uint256& a, const Uint256& b) {
    FP_ASSERT(!b.is_zero());
    return *Uint256::Wide::narrow(Uint256::Wide::widen(a) / Uint256::Wide::widen(b));
}

Uint256 operator%(const Uint256& a, const Uint256& b) {
    FP_ASSERT(!b.is_zero());
    return *Uint256::Wide::narrow(Uint256::Wide::widen(a) % Uint256::Wide::widen(b));
}

}  // namespace fencepost
