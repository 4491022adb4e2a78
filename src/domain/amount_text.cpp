#include "domain/amount_text.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fencepost {
namespace {

constexpr std::uint64_t wei_per_ether = 1'000'000'000'000'000'000;
constexpr std::uint64_t wei_per_gwei = 1'000'000'000;
constexpr std::size_t ether_places = 18;
constexpr std::size_t gwei_places = 9;

// Exact, without trailing zeros.
std::string with_point(std::string digits, std::size_t places) {
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

}  // namespace

std::string amount_text(const Uint256& wei) {
    auto digits = wei.to_decimal();
    if (wei >= Uint256(wei_per_ether / 1000)) return with_point(std::move(digits), ether_places) + " ether";
    if (wei >= Uint256(wei_per_gwei / 1000)) return with_point(std::move(digits), gwei_places) + " gwei";
    return digits + " wei";
}

std::string gas_price_text(const Wei& per_gas) {
    auto digits = per_gas.value().to_decimal();
    const bool is_small = per_gas.value() < Uint256(wei_per_gwei / 1000);
    return (is_small ? digits + " wei" : with_point(std::move(digits), gwei_places) + " gwei") + " per gas";
}

}  // namespace fencepost
