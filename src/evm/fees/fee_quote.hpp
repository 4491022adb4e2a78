// Computes fee quotes from node answers. These may be missing, zero or absurd, so the arithmetic cannot overflow and no
// tip exceeds the cap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "domain/fees.hpp"
#include "domain/intent.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

/// One number per Speed, in the order of the enum.
using PerSpeed = std::array<std::uint64_t, 3>;

struct FeeOptions {
    enum class Kind { eip1559, legacy, fixed };
    Kind kind = Kind::eip1559;
    /// For `fixed`.
    Fees fixed{};
    /// Percentiles of the tips in a block, weighted by gas; ascending.
    PerSpeed percentiles{10, 50, 90};
    std::uint64_t history_blocks = 10;
    /// max_fee = base fee × this + tip. Twice the base fee survives six full blocks.
    std::uint64_t base_fee_permille = 2000;
    /// The lowest tip that geth miners accept by default.
    Wei min_tip{1'000'000};
    /// Upper limit of every fee field.
    std::optional<Wei> cap{};
    /// eth_gasPrice × this.
    PerSpeed legacy_permille{1000, 1100, 1250};
};

struct FeeQuote {
    std::array<Fees, 3> by_speed;

    [[nodiscard]] const Fees& at(Speed speed) const { return by_speed.at(static_cast<std::size_t>(speed)); }
};

struct FeeHistory {
    /// Of the next block.
    Uint256 base_fee;
    /// Per block, the tip at each percentile; blocks without transactions may have none.
    std::vector<std::array<Uint256, 3>> rewards;
};

[[nodiscard]] Parsed<FeeHistory> read_fee_history(const Json& json);

/// The median over the blocks with tips. Empty when the result exceeds 256 bits and there is no cap.
[[nodiscard]] std::optional<FeeQuote> quote_of(const FeeHistory& history, const FeeOptions& options);
[[nodiscard]] std::optional<FeeQuote> quote_of(const Uint256& gas_price, const FeeOptions& options);
[[nodiscard]] FeeQuote fixed_quote(const FeeOptions& options);

}  // namespace fencepost::evm
