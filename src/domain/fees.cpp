#include "domain/fees.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace fencepost {
namespace {

std::optional<Wei> raise(const Wei& old, BumpFactor factor) {
    const auto scaled = Uint256::checked_scale_up(old.value(), factor.numerator, factor.denominator);
    const auto next = Uint256::checked_add(old.value(), 1);
    if (!scaled || !next) return std::nullopt;
    return Wei(std::max(*scaled, *next));
}

Fees of_same_kind(const Fees& model, Wei fee, Wei tip) {
    if (std::holds_alternative<LegacyFee>(model)) return LegacyFee{std::max(fee, tip)};
    return DynamicFee{fee, std::min(tip, fee)};
}

}  // namespace

Wei max_fee(const Fees& fees) {
    if (const auto* legacy = std::get_if<LegacyFee>(&fees)) return legacy->gas_price;
    return std::get<DynamicFee>(fees).max_fee;
}

Wei max_priority_fee(const Fees& fees) {
    if (const auto* legacy = std::get_if<LegacyFee>(&fees)) return legacy->gas_price;
    return std::get<DynamicFee>(fees).max_priority_fee;
}

std::optional<Wei> max_cost(const Fees& fees, Gas gas_limit, Wei value) {
    const auto gas_cost = Uint256::checked_mul(max_fee(fees).value(), gas_limit.value());
    if (!gas_cost) return std::nullopt;
    const auto total = Uint256::checked_add(*gas_cost, value.value());
    if (!total) return std::nullopt;
    return Wei(*total);
}

std::optional<Fees> replacement_minimum(std::span<const Fees> attempts, BumpFactor factor) {
    FP_ASSERT(!attempts.empty());
    FP_ASSERT(factor.numerator > factor.denominator, "a bump must raise the fee");
    Wei highest_fee;
    Wei highest_tip;
    for (const auto& attempt : attempts) {
        highest_fee = std::max(highest_fee, max_fee(attempt));
        highest_tip = std::max(highest_tip, max_priority_fee(attempt));
    }
    const auto fee = raise(highest_fee, factor);
    const auto tip = raise(highest_tip, factor);
    if (!fee || !tip) return std::nullopt;
    return of_same_kind(attempts.back(), *fee, *tip);
}

Result<Fees, BumpError> bump(std::span<const Fees> attempts, const Fees& wanted, Wei cap, BumpFactor factor) {
    const auto minimum = replacement_minimum(attempts, factor);
    if (!minimum || max_fee(*minimum) > cap) return err(BumpError::at_cap);
    const Wei fee = std::min(std::max(max_fee(*minimum), max_fee(wanted)), cap);
    // The minimum's tip is at most the minimum's fee, so capping the tip at the fee keeps it above its own minimum.
    const Wei tip = std::min(std::max(max_priority_fee(*minimum), max_priority_fee(wanted)), fee);
    return of_same_kind(*minimum, fee, tip);
}

Fees raise_tip(const Fees& fees, Wei least) {
    const Wei tip = max_priority_fee(fees);
    if (tip >= least) return fees;
    const auto fee = Uint256::checked_add(max_fee(fees).value(), least.value() - tip.value());
    // A legacy price is tip and base fee in one, so it already contains the base fee.
    const bool is_legacy = std::holds_alternative<LegacyFee>(fees);
    return of_same_kind(fees, is_legacy ? least : Wei(fee.value_or(Uint256::max())), least);
}

Fees clamp(const Fees& fees, Wei cap) {
    return of_same_kind(fees, std::min(max_fee(fees), cap), std::min(max_priority_fee(fees), cap));
}

}  // namespace fencepost
