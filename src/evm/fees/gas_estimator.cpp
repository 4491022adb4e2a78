// eth_estimateGas with a margin up to the block gas limit.
#include "evm/fees/gas_estimator.hpp"

#include <algorithm>
#include <limits>

#include <boost/json/object.hpp>

#include "base/assert.hpp"
#include "evm/errors/call_failure.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

// Without a price the node does not check the balance for gas; the lane does that itself.
Json to_json(const Call& call) {
    boost::json::object json{{"from", call.from.account()}, {"value", write_quantity(call.value.value())}};
    if (call.to) json["to"] = *call.to;
    json["data"] = write_data(call.data);
    return json;
}

// The largest number where the node does not return a limit.
std::uint64_t block_limit(const Answer& block) {
    if (!block) return std::numeric_limits<std::uint64_t>::max();
    return read_uint64(field_of(*block, "gasLimit"), "block.gasLimit")
        .value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace

GasEstimator::GasEstimator(Rpc& rpc, GasOptions options) : rpc_(rpc), options_(options) {
    FP_ASSERT(options_.factor_permille >= 1000, "the gas factor must be at least 1");
}

Task<RpcResult<GasEstimate>> GasEstimator::estimate(Call call, At at, Evidence evidence) {
    std::vector<Request> batch{{"eth_estimateGas", {to_json(call), write_tag(at)}},
                               {"eth_getBlockByNumber", {write_tag(At::latest), false}}};
    const auto answers = co_await rpc_.read(std::move(batch), evidence);
    FP_ASSERT(answers.size() == 2);
    const auto& answer = answers.front();
    if (!answer) {
        const auto* refusal = std::get_if<jsonrpc::ErrorAnswer>(&answer.error());
        const auto failure = refusal != nullptr ? read_call_failure(*refusal) : std::nullopt;
        if (!failure) co_return err(to_rpc_error(answer.error()));
        co_return std::visit([](const auto& why) -> GasEstimate { return why; }, *failure);
    }
    const auto estimate = read_uint64(*answer, "estimateGas");
    if (!estimate) co_return err(malformed(estimate.error()));
    co_return with_margin(*estimate, block_limit(answers[1]));
}

Gas GasEstimator::with_margin(std::uint64_t estimate, std::uint64_t block_limit) const {
    const auto scaled = Uint256::checked_scale_up(estimate, options_.factor_permille, 1000);
    const auto most = std::max(estimate, block_limit);
    return Gas(std::min(scaled->to_uint64().value_or(most), most));
}

}  // namespace fencepost::evm
