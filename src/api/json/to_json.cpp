#include "api/json/to_json.hpp"

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::api {
namespace {

json::value fee_to_json(const std::variant<Speed, Fees>& fee) {
    if (const auto* speed = std::get_if<Speed>(&fee)) return to_json(name_of(*speed));
    return to_json(std::get<Fees>(fee));
}

}  // namespace

json::value to_json(std::string_view text) { return json::value(json::string_view(text.data(), text.size())); }
json::value to_json(const Wei& wei) { return to_json(wei.value().to_decimal()); }
json::value to_json(const TxId& id) { return to_json(id.value().to_string()); }
json::value to_json(UnixTime time) { return to_json(to_rfc3339_milliseconds(time)); }
json::value to_json(const RequestId& id) { return to_json(id.value()); }
json::value to_json(const TxHash& hash) { return to_json(to_hex_prefixed(hash.view())); }
json::value to_json(const BlockHash& hash) { return to_json(to_hex_prefixed(hash.view())); }
json::value to_json(const Bytes& bytes) { return to_json(to_hex_prefixed(bytes)); }
json::value to_json(const NodeId& node) { return to_json(node.value()); }
json::value to_json(const Gas& gas) { return to_json(fmt::format("{}", gas.value())); }

json::value to_json(const Fees& fees) {
    if (const auto* legacy = std::get_if<LegacyFee>(&fees))
        return json::object{{"gasPrice", to_json(legacy->gas_price)}};
    const auto& dynamic = std::get<DynamicFee>(fees);
    return {{"maxFeePerGas", to_json(dynamic.max_fee)}, {"maxPriorityFeePerGas", to_json(dynamic.max_priority_fee)}};
}

json::value to_json(const Receipt& receipt) {
    return {{"txHash", to_json(receipt.hash)},
            {"blockNumber", to_json(receipt.block_number)},
            {"blockHash", to_json(receipt.block_hash)},
            {"succeeded", receipt.succeeded},
            {"gasUsed", to_json(receipt.gas_used)},
            {"effectiveGasPrice", to_json(receipt.effective_gas_price)},
            {"contractAddress", to_json(receipt.contract)}};
}

json::value to_json(const Intent& intent) {
    return {{"to", to_json(intent.to)},       {"value", to_json(intent.value)},
            {"data", to_json(intent.data)},   {"gas", to_json(intent.gas_limit)},
            {"fee", fee_to_json(intent.fee)}, {"validUntil", to_json(intent.valid_until)}};
}

json::value to_json(const BlockRef& block) {
    return {{"number", to_json(block.number)}, {"hash", to_json(block.hash)}, {"parentHash", to_json(block.parent)}};
}

json::value to_json(const TxError& error) { return {{"code", to_json(error.code)}, {"detail", to_json(error.detail)}}; }

json::value to_json(const Ability& ability) {
    json::object object{{"able", ability.is_able()}, {"since", to_json(ability.since)}, {"cause", nullptr}};
    if (ability.cause) object["cause"] = to_json(name_of(*ability.cause));
    object["retryAt"] = to_json(ability.retry_at);
    return object;
}

json::value to_json(const NodeAbility& ability) {
    json::array chains;
    for (const auto& [chain, known] : ability.chains) {
        auto entry = to_json(known.ability).as_object();
        entry["chain"] = to_json(chain.to_string());
        entry["head"] = to_json(known.head);
        chains.push_back(std::move(entry));
    }
    json::array signers;
    for (const auto& [submitter, known] : ability.signers) {
        auto entry = to_json(known).as_object();
        entry["submitter"] = to_json(submitter.to_string());
        signers.push_back(std::move(entry));
    }
    return {{"chains", std::move(chains)}, {"signers", std::move(signers)}};
}

json::value to_json(const NodeInfo& node) {
    return {{"id", to_json(node.id)},
            {"address", to_json(node.address)},
            {"startedAt", to_json(node.started_at)},
            {"heartbeatAt", to_json(node.heartbeat_at)},
            {"ability", to_json(node.ability)}};
}

json::value to_json(const HealthCheck& check) {
    return {{"name", to_json(check.name)}, {"ok", check.ok}, {"detail", to_json(check.detail)}};
}

}  // namespace fencepost::api
