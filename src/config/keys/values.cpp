#include "config/keys/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace fencepost::config {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

std::string_view without_blanks(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// Splits "50 gwei" after the last digit or point.
struct Quantity {
    std::string_view number;
    std::string_view unit;
};
Quantity split_unit(std::string_view text) {
    const auto end = text.find_last_of("0123456789.");
    if (end == std::string_view::npos) return {.number = {}, .unit = text};
    return {.number = text.substr(0, end + 1), .unit = without_blanks(text.substr(end + 1))};
}

std::optional<std::uint64_t> to_number(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!is_number(digits) || error != std::errc{}) return std::nullopt;
    return value;
}

/// A decimal number times ten to the power of `places`, exact; none when it is invalid or has more places.
std::optional<Uint256> scaled(std::string_view text, std::size_t places) {
    const auto point = text.find('.');
    const auto whole = text.substr(0, point);
    auto fraction = point == std::string_view::npos ? std::string{} : std::string(text.substr(point + 1));
    if (!is_number(whole) || (point != std::string_view::npos && !is_number(fraction))) return std::nullopt;
    if (fraction.size() > places) return std::nullopt;
    fraction.resize(places, '0');
    const auto value = Uint256::parse(std::string(whole) + fraction);
    return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::uint64_t> scaled_number(std::string_view text, std::size_t places) {
    const auto value = scaled(text, places);
    return value ? value->to_uint64() : std::nullopt;
}

/// The inverse, without trailing zeros.
std::string unscaled(std::uint64_t value, std::size_t places) {
    auto digits = fmt::format("{:0>{}}", value, places + 1);
    digits.insert(digits.size() - places, ".");
    while (digits.ends_with('0'))
        digits.pop_back();
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};
constexpr std::array<Unit, 5> times{{{"ms", 1'000'000},
                                     {"s", 1'000'000'000},
                                     {"m", 60'000'000'000},
                                     {"h", 3'600'000'000'000},
                                     {"d", 86'400'000'000'000}}};
constexpr std::array<Unit, 4> sizes{
    {{"", 1}, {"KiB", 1024}, {"MiB", std::uint64_t{1024} * 1024}, {"GiB", std::uint64_t{1024} * 1024 * 1024}}};

template <std::size_t N>
std::optional<std::uint64_t> multiplied(std::string_view text, const std::array<Unit, N>& units, std::uint64_t most) {
    const auto [number, name] = split_unit(text);
    const auto* const unit = std::ranges::find(units, name, &Unit::name);
    const auto value = to_number(number);
    if (unit == units.end() || !value || *value > most / unit->factor) return std::nullopt;
    return *value * unit->factor;
}

template <std::size_t N>
const Unit& largest_that_divides(std::uint64_t value, const std::array<Unit, N>& units) {
    const Unit* best = units.data();
    for (const auto& unit : units) {
        if (value != 0 && value % unit.factor == 0) best = &unit;
    }
    return *best;
}

std::optional<std::size_t> places_of_unit(std::string_view unit) {
    if (unit.empty() || unit == "wei") return 0;
    if (unit == "gwei") return 9;
    if (unit == "ether") return 18;
    return std::nullopt;
}

constexpr std::size_t factor_places = 6;
constexpr std::uint64_t factor_scale = 1'000'000;

}  // namespace

Read<bool> read_switch(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return err(ValueError{"is neither true nor false"});
}

std::string show_switch(bool value) { return value ? "true" : "false"; }

Read<std::uint64_t> read_count(std::string_view text) {
    if (!is_number(text)) return err(ValueError{"is not a whole number"});
    const auto value = to_number(text);
    if (!value) return err(ValueError{"is too large a number"});
    return *value;
}

Read<Duration> read_duration(std::string_view text) {
    const auto nanoseconds = multiplied(text, times, std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    if (nanoseconds) return Duration(static_cast<Duration::rep>(*nanoseconds));
    return err(ValueError{"is not a duration: write a whole number and ms, s, m, h or d, as in 500ms, 10s or 5m"});
}

std::string show_duration(Duration value) {
    if (value == Duration{}) return "0s";
    const auto nanoseconds = static_cast<std::uint64_t>(value.count());
    const auto& unit = largest_that_divides(nanoseconds, times);
    return fmt::format("{}{}", nanoseconds / unit.factor, unit.name);
}

Read<Wei> read_amount(std::string_view text) {
    const auto [number, unit] = split_unit(text);
    const auto places = places_of_unit(unit);
    const auto value = places ? scaled(number, *places) : std::nullopt;
    if (value) return Wei(*value);
    return err(
        ValueError{"is not an amount: write wei as decimal digits, or a number and gwei or ether, as in 50 gwei"});
}

std::string show_amount(const Wei& value) {
    const Uint256 gwei(1'000'000'000);
    if (value.value() < gwei || !(value.value() % gwei).is_zero()) return value.value().to_decimal();
    return fmt::format("{} gwei", (value.value() / gwei).to_decimal());
}

Read<std::uint64_t> read_size(std::string_view text) {
    const auto bytes = multiplied(text, sizes, std::numeric_limits<std::uint64_t>::max());
    if (bytes) return *bytes;
    return err(ValueError{"is not a size: write bytes, or a whole number and KiB, MiB or GiB, as in 64 KiB"});
}

std::string show_size(std::uint64_t bytes) {
    const auto& unit = largest_that_divides(bytes, sizes);
    return unit.name.empty() ? fmt::to_string(bytes) : fmt::format("{} {}", bytes / unit.factor, unit.name);
}

Read<std::uint64_t> read_permille(std::string_view text) {
    const auto value = scaled_number(text, 3);
    if (value) return *value;
    return err(ValueError{"is not a decimal number with up to three places, as in 1.2"});
}

std::string show_permille(std::uint64_t value) { return unscaled(value, 3); }

Read<BumpFactor> read_factor(std::string_view text) {
    const auto value = scaled_number(text, factor_places);
    if (!value) return err(ValueError{"is not a decimal number with up to six places, as in 1.125"});
    if (*value <= factor_scale) return err(ValueError{"is too small: it must be above 1"});
    if (*value > 10 * factor_scale) return err(ValueError{"is too large: at most 10"});
    const auto divisor = std::gcd(*value, factor_scale);
    return BumpFactor{.numerator = *value / divisor, .denominator = factor_scale / divisor};
}

std::string show_factor(const BumpFactor& value) {
    return unscaled(value.numerator * factor_scale / value.denominator, factor_places);
}

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        if (const auto part = without_blanks(text.substr(0, comma)); !part.empty()) parts.emplace_back(part);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return parts;
}

}  // namespace fencepost::config
