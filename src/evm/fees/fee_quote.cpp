// Parses eth_feeHistory and computes quotes without overflow.
#include "evm/fees/fee_quote.hpp"

#include <algorithm>

#include <boost/json/array.hpp>

namespace fencepost::evm {
namespace {

constexpr std::uint64_t thousand = 1000;

Parsed<std::optional<std::array<Uint256, 3>>> read_rewards_of_block(const Json& json) {
    const auto* list = json.if_array();
    if (list == nullptr || list->empty()) return std::nullopt;
    if (list->size() != 3) return err(ParseError{"feeHistory.reward[] must have one entry per percentile"});
    std::array<Uint256, 3> rewards;
    for (std::size_t i = 0; i < rewards.size(); ++i) {
        const auto reward = read_quantity(list->at(i), "feeHistory.reward[][]");
        if (!reward) return err(reward.error());
        rewards.at(i) = *reward;
    }
    return rewards;
}

// Blocks in which no transaction paid a tip say nothing about the tips that others accept.
Uint256 median_tip(const FeeHistory& history, std::size_t speed) {
    std::vector<Uint256> tips;
    for (const auto& block : history.rewards) {
        if (!block.at(speed).is_zero()) tips.push_back(block.at(speed));
    }
    if (tips.empty()) return {};
    const auto middle = tips.begin() + static_cast<std::ptrdiff_t>(tips.size() / 2);
    std::ranges::nth_element(tips, middle);
    return *middle;
}

// A value that does not fit 256 bits exceeds any cap.
std::optional<Wei> capped(const std::optional<Uint256>& value, const FeeOptions& options) {
    if (!value) return options.cap;
    return options.cap ? std::min(Wei(*value), *options.cap) : Wei(*value);
}

std::optional<Uint256> add(const std::optional<Uint256>& a, const Uint256& b) {
    return a ? Uint256::checked_add(*a, b) : std::nullopt;
}

}  // namespace

Parsed<FeeHistory> read_fee_history(const Json& json) {
    const auto* base_fees = field_of(json, "baseFeePerGas").if_array();
    if (base_fees == nullptr || base_fees->empty())
        return err(ParseError{"feeHistory.baseFeePerGas is not a list, or empty"});
    const auto base_fee = read_quantity(base_fees->back(), "feeHistory.baseFeePerGas[]");
    if (!base_fee) return err(base_fee.error());
    FeeHistory history{*base_fee, {}};
    if (const auto* rewards = field_of(json, "reward").if_array()) {
        for (const auto& item : *rewards) {
            const auto block = read_rewards_of_block(item);
            if (!block) return err(block.error());
            if (*block) history.rewards.push_back(**block);
        }
    }
    return history;
}

std::optional<FeeQuote> quote_of(const FeeHistory& history, const FeeOptions& options) {
    FeeQuote quote;
    Uint256 tip = options.min_tip.value();
    for (std::size_t speed = 0; speed < quote.by_speed.size(); ++speed) {
        tip = std::max(tip, median_tip(history, speed));  // faster is never cheaper
        const auto base = Uint256::checked_scale_up(history.base_fee, options.base_fee_permille, thousand);
        const auto most = capped(add(base, tip), options);
        if (!most) return std::nullopt;
        quote.by_speed.at(speed) = DynamicFee{*most, std::min(Wei(tip), *most)};
    }
    return quote;
}

std::optional<FeeQuote> quote_of(const Uint256& gas_price, const FeeOptions& options) {
    FeeQuote quote;
    for (std::size_t speed = 0; speed < quote.by_speed.size(); ++speed) {
        const auto scaled = Uint256::checked_scale_up(gas_price, options.legacy_permille.at(speed), thousand);
        const auto price = capped(scaled ? std::optional(std::max(*scaled, options.min_tip.value())) : scaled, options);
        if (!price) return std::nullopt;
        quote.by_speed.at(speed) = LegacyFee{*price};
    }
    return quote;
}

FeeQuote fixed_quote(const FeeOptions& options) {
    const auto fees = options.cap ? clamp(options.fixed, *options.cap) : options.fixed;
    return {{fees, fees, fees}};
}

}  // namespace fencepost::evm
