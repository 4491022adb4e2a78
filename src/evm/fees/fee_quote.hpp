// What the market asks for, from what nodes tell of it. Nodes tell odd things (no rewards, all zero, absurd ones), so
// this is arithmetic that cannot overflow, and gives no tip above the maximum.
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
    /// Of kind `fixed`.
    Fees fixed{};
    /// Of the tips of a block's transactions, by gas; ascending.
    PerSpeed percentiles{10, 50, 90};
    std::uint64_t history_blocks = 10;
    /// max_fee = base fee × this + tip: twice the base fee outlasts six full blocks.
    std::uint64_t base_fee_permille = 2000;
    /// geth's miners take no less by default.
    Wei min_tip{1'000'000};
    /// No fee field above this.
    std::optional<Wei> cap{};
    /// eth_gasPrice × this.
    PerSpeed legacy_permille{1000, 1100, 1250};
};

struct FeeQuote {
    std::array<Fees, 3> by_speed;

    [[nodiscard]] const Fees& at(Speed speed) const { return by_speed.at(static_cast<std::size_t>(speed)); }
};

struct FeeHistory {
    /// Of the block that comes next.
    Uint256 base_fee;
    /// Per block, what each percentile paid; blocks without transactions may have none.
    std::vector<std::array<Uint256, 3>> rewards;
};

[[nodiscard]] Parsed<FeeHistory> read_fee_history(const Json& json);

/// The median over the blocks that had tips. Nothing when it does not fit 256 bits and there is no cap.
[[nodiscard]] std::optional<FeeQuote> quote_of(const FeeHistory& history, const FeeOptions& options);
[[nodiscard]] std::optional<FeeQuote> quote_of(const Uint256& gas_price, const FeeOptions& options);
[[nodiscard]] FeeQuote fixed_quote(const FeeOptions& options);

}  // namespace fencepost::evm
