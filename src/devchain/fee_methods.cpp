// Methods about fees: the cost of inclusion in the next block.
#include <algorithm>
#include <vector>

#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;

constexpr std::uint64_t most_blocks = 1024;  // geth's
constexpr std::size_t most_percentiles = 100;
const Uint256 usual_tip = 1'000'000'000;

Uint256 next_base_fee(const DevLedger& ledger) { return ledger.ledger().base_fee_after(ledger.head()); }

RpcAnswer gas_price(RpcWorld& world, const Params& /*params*/) {
    return evm::write_quantity(next_base_fee(world.ledger) + usual_tip);
}
RpcAnswer tip(RpcWorld& /*world*/, const Params& /*params*/) { return evm::write_quantity(usual_tip); }

MethodResult<std::vector<double>> read_percentiles(const Json& json) {
    std::vector<double> percentiles;
    if (json.is_null()) return percentiles;
    const auto* list = json.if_array();
    if (list == nullptr || list->size() > most_percentiles)
        return invalid_params("invalid argument 2: not a list, or too long");
    for (const auto& item : *list) {
        boost::system::error_code error;
        const auto number = item.is_number() ? item.to_number<double>(error) : -1;
        if (error || number < 0 || number > 100 || (!percentiles.empty() && number < percentiles.back())) {
            return err(RpcFailure{RpcCode::server_error, "invalid reward percentile"});
        }
        percentiles.push_back(number);
    }
    return percentiles;
}

// The tips paid at these percentiles of the block's gas.
json::array rewards(const sim::SimBlock& block, const std::vector<double>& percentiles) {
    std::vector<std::pair<Uint256, std::uint64_t>> tips;
    tips.reserve(block.receipts.size());
    const auto base_fee = block.block->base_fee.value_or(Wei{}).value();
    for (const auto& receipt : block.receipts)
        tips.emplace_back(receipt.effective_gas_price.value() - base_fee, receipt.gas_used.value());
    std::ranges::sort(tips);
    json::array result;
    for (const auto percentile : percentiles) {
        const auto wanted = static_cast<double>(block.gas_used.value()) * percentile / 100;
        Uint256 reward;
        double seen = 0;
        for (const auto& [tip, gas] : tips) {
            reward = tip;
            seen += static_cast<double>(gas);
            if (seen >= wanted) break;
        }
        result.push_back(evm::write_quantity(reward));
    }
    return result;
}

// Some clients send the number of blocks as a plain number.
MethodResult<std::uint64_t> read_count(const Params& params) {
    if (params.at(0).is_int64() && params.at(0).get_int64() >= 0) {
        return static_cast<std::uint64_t>(params.at(0).get_int64());
    }
    const auto count = params.quantity(0);
    if (!count) return err(count.error());
    return count->to_uint64().value_or(most_blocks);
}

RpcAnswer fee_history(RpcWorld& world, const Params& params) {
    const auto count = read_count(params);
    if (!count) return err(count.error());
    const auto newest = params.block_with_state(1, world.ledger);
    if (!newest) return err(newest.error());
    const auto percentiles = read_percentiles(params.at(2));
    if (!percentiles) return err(percentiles.error());

    const auto last = newest->block->number().value();
    const auto blocks = std::min({*count, most_blocks, last + 1});
    const auto first = last + 1 - blocks;
    json::array base_fees;
    json::array ratios;
    json::array tips;
    for (auto number = first; number <= last; ++number) {
        const auto& block = *world.ledger.view().block(BlockNumber(number));
        base_fees.push_back(evm::write_quantity(block.block->base_fee.value_or(Wei{}).value()));
        ratios.push_back(static_cast<double>(block.gas_used.value()) /
                         static_cast<double>(world.ledger.ledger().options().gas_limit.value()));
        tips.push_back(rewards(block, *percentiles));
    }
    base_fees.push_back(evm::write_quantity(world.ledger.ledger().base_fee_after(*newest->block)));
    json::object result{{"oldestBlock", evm::write_quantity(first)},
                        {"baseFeePerGas", std::move(base_fees)},
                        {"gasUsedRatio", std::move(ratios)}};
    if (!percentiles->empty()) result["reward"] = std::move(tips);
    return Json(std::move(result));
}

}  // namespace

RpcMethods fee_methods() {
    return {{"eth_gasPrice", gas_price}, {"eth_maxPriorityFeePerGas", tip}, {"eth_feeHistory", fee_history}};
}

}  // namespace fencepost::devchain
