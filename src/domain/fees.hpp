// What a transaction offers to pay, and the rules by which an offer may be raised. Nodes accept a replacement only when
// it raises every fee field enough; a bump that is refused for ever is a key that is blocked for ever (failures 3, 32).
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

/// EIP-1559. The tip never exceeds the maximum.
struct DynamicFee {
    Wei max_fee;
    Wei max_priority_fee;
    friend bool operator==(const DynamicFee&, const DynamicFee&) = default;
};

using Fees = std::variant<LegacyFee, DynamicFee>;

/// The most a unit of gas may cost. A legacy price is maximum and tip in one, as nodes see it.
[[nodiscard]] Wei max_fee(const Fees& fees);
[[nodiscard]] Wei max_priority_fee(const Fees& fees);

/// Nothing when it does not fit 256 bits, which no account can pay.
[[nodiscard]] std::optional<Wei> max_cost(const Fees& fees, Gas gas_limit, Wei value);

/// A fraction above 1, by which each fee field must rise. 9/8 satisfies every node we know: geth, Erigon and Nethermind
/// ask for 10 %, some configurations for 12.5 %.
struct BumpFactor {
    std::uint64_t numerator = 9;
    std::uint64_t denominator = 8;
};

/// The lowest fees with which a transaction may replace every one of these attempts: max(⌈old × factor⌉, old + 1) on
/// each field over all of them, for a tip of 0 must rise, too. Of the kind of the last attempt. `attempts` is not
/// empty. Nothing when it does not fit 256 bits.
[[nodiscard]] std::optional<Fees> replacement_minimum(std::span<const Fees> attempts, BumpFactor factor = {});

enum class BumpError { at_cap };

/// The fees of the next attempt: what the market asks for (`wanted`), but no less than the replacement minimum and no
/// more than `cap` per unit of gas. `at_cap` when the minimum itself exceeds the cap: then the same bytes are sent
/// again, and a person is told (failure 3).
[[nodiscard]] Result<Fees, BumpError> bump(std::span<const Fees> attempts, const Fees& wanted, Wei cap,
                                           BumpFactor factor = {});

/// With a tip of at least this much, on top of what it offers for the base fee.
[[nodiscard]] Fees raise_tip(const Fees& fees, Wei least);

/// `fees` with no field above `cap`.
[[nodiscard]] Fees clamp(const Fees& fees, Wei cap);

}  // namespace fencepost
