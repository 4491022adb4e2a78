// Transaction fees and the rules for raising them. Nodes accept a replacement only when every fee field rises enough; a
// bump that is always refused blocks the nonce permanently (failures 3, 32).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "base/result.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// Before EIP-1559, and on chains without it.
struct LegacyFee {
    Wei gas_price;
    friend bool operator==(const LegacyFee&, const LegacyFee&) = default;
};

/// EIP-1559. The tip never exceeds max_fee.
struct DynamicFee {
    Wei max_fee;
    Wei max_priority_fee;
    friend bool operator==(const DynamicFee&, const DynamicFee&) = default;
};

using Fees = std::variant<LegacyFee, DynamicFee>;

/// The maximum price per gas. A legacy price is both maximum and tip, as nodes treat it.
[[nodiscard]] Wei max_fee(const Fees& fees);
[[nodiscard]] Wei max_priority_fee(const Fees& fees);

/// None when it does not fit 256 bits, which no account can pay.
[[nodiscard]] std::optional<Wei> max_cost(const Fees& fees, Gas gas_limit, Wei value);

/// A fraction above 1, by which each fee field must rise. 9/8 satisfies all known nodes: geth, Erigon and Nethermind
/// require 10 %, some configurations 12.5 %.
struct BumpFactor {
    std::uint64_t numerator = 9;
    std::uint64_t denominator = 8;
};

/// The lowest fees with which a transaction may replace all of these attempts: max(⌈old × factor⌉, old + 1) on each
/// field over all of them (old + 1, because a tip of 0 must rise, too). Of the same type as the last attempt.
/// `attempts` must not be empty. None when it does not fit 256 bits.
[[nodiscard]] std::optional<Fees> replacement_minimum(std::span<const Fees> attempts, BumpFactor factor = {});

enum class BumpError { at_cap };

/// The fees of the next attempt: the market price (`wanted`), but at least the replacement minimum and at most `cap`
/// per gas. `at_cap` when the minimum itself exceeds the cap: then the same bytes are sent again, and an alert is
/// raised (failure 3).
[[nodiscard]] Result<Fees, BumpError> bump(std::span<const Fees> attempts, const Fees& wanted, Wei cap,
                                           BumpFactor factor = {});

/// Raises the tip to at least this much; the rest of the fee keeps its amount.
[[nodiscard]] Fees raise_tip(const Fees& fees, Wei least);

/// `fees` with no field above `cap`.
[[nodiscard]] Fees clamp(const Fees& fees, Wei cap);

}  // namespace fencepost
