#include "api/json/to_json.hpp"

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::api {
namespace {

json::value fee_shown(const std::variant<Speed, Fees>& fee) {
    if (const auto* speed = std::get_if<Speed>(&fee)) return shown(name_of(*speed));
    return shown(std::get<Fees>(fee));
}

}  // namespace

json::value shown(std::string_view text) { return json::value(json::string_view(text.data(), text.size())); }
json::value shown(const Wei& wei) { return shown(wei.value().to_decimal()); }
json::value shown(const TxId& id) { return shown(id.value().to_string()); }
json::value shown(UnixTime time) { return shown(to_rfc3339_milliseconds(time)); }
json::value shown(const RequestId& id) { return shown(id.value()); }
json::value shown(const TxHash& hash) { return shown(to_hex_prefixed(hash.view())); }
json::value shown(const BlockHash& hash) { return shown(to_hex_prefixed(hash.view())); }
json::value shown(const Bytes& bytes) { return shown(to_hex_prefixed(bytes)); }
json::value shown(const NodeId& node) { return shown(node.value()); }
json::value shown(const Gas& gas) { return shown(fmt::format("{}", gas.value())); }

json::value shown(const Fees& fees) {
    if (const auto* legacy = std::get_if<LegacyFee>(&fees)) return json::object{{"gasPrice", shown(legacy->gas_price)}};
    const auto& dynamic = std::get<DynamicFee>(fees);
    return {{"maxFeePerGas", shown(dynamic.max_fee)}, {"maxPriorityFeePerGas", shown(dynamic.max_priority_fee)}};
}

json::value shown(const Receipt& receipt) {
    return {{"txHash", shown(receipt.hash)},
            {"blockNumber", shown(receipt.block_number)},
            {"blockHash", shown(receipt.block_hash)},
            {"succeeded", receipt.succeeded},
            {"gasUsed", shown(receipt.gas_used)},
            {"effectiveGasPrice", shown(receipt.effective_gas_price)},
            {"contractAddress", shown(receipt.contract)}};
}

json::value shown(const Intent& intent) {
    return {{"to", shown(intent.to)},       {"value", shown(intent.value)},
            {"data", shown(intent.data)},   {"gas", shown(intent.gas_limit)},
            {"fee", fee_shown(intent.fee)}, {"validUntil", shown(intent.valid_until)}};
}

json::value shown(const BlockRef& block) {
    return {{"number", shown(block.number)}, {"hash", shown(block.hash)}, {"parentHash", shown(block.parent)}};
}

json::value shown(const TxError& error) { return {{"code", shown(error.code)}, {"detail", shown(error.detail)}}; }

json::value shown(const Ability& ability) {
    json::object object{{"able", ability.is_able()}, {"since", shown(ability.since)}, {"cause", nullptr}};
    if (ability.cause) object["cause"] = shown(name_of(*ability.cause));
    object["retryAt"] = shown(ability.retry_at);
    return object;
}

json::value shown(const NodeAbility& ability) {
    json::array chains;
    for (const auto& [chain, known] : ability.chains) {
        auto entry = shown(known.ability).as_object();
        entry["chain"] = shown(chain.to_string());
        entry["head"] = shown(known.head);
        chains.push_back(std::move(entry));
    }
    json::array signers;
    for (const auto& [submitter, known] : ability.signers) {
        auto entry = shown(known).as_object();
        entry["submitter"] = shown(submitter.to_string());
        signers.push_back(std::move(entry));
    }
    return {{"chains", std::move(chains)}, {"signers", std::move(signers)}};
}

json::value shown(const NodeInfo& node) {
    return {{"id", shown(node.id)},
            {"address", shown(node.address)},
            {"startedAt", shown(node.started_at)},
            {"heartbeatAt", shown(node.heartbeat_at)},
            {"ability", shown(node.ability)}};
}

json::value shown(const HealthCheck& check) {
    return {{"name", shown(check.name)}, {"ok", check.ok}, {"detail", shown(check.detail)}};
}

}  // namespace fencepost::api
