// Encodes and decodes intents, receipts, blocks and events.
#include "store/json_codec.hpp"

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

namespace json = boost::json;

json::value parse(std::string_view text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    FP_ASSERT(!error, "a JSON column does not hold JSON: {}", error.message());
    return value;
}

std::string text(const json::value& value) { return std::string(value.as_string()); }
std::string decimal(const Wei& wei) { return wei.value().to_decimal(); }

Wei wei(const json::value& value) {
    const auto amount = Uint256::parse(value.as_string());
    FP_ASSERT(amount.has_value(), "{}", amount.error().what);
    return Wei(*amount);
}

template <typename Fixed>
Fixed fixed(const json::value& value) {
    const auto bytes = from_hex(value.as_string());
    FP_ASSERT(bytes.has_value() && bytes->size() == Fixed::length, "a JSON column holds bytes of another length");
    return *Fixed::from(*bytes);
}

json::object to_json(const Fees& fees) {
    if (const auto* legacy = std::get_if<LegacyFee>(&fees)) return {{"gasPrice", decimal(legacy->gas_price)}};
    const auto& dynamic = std::get<DynamicFee>(fees);
    return {{"maxFeePerGas", decimal(dynamic.max_fee)}, {"maxPriorityFeePerGas", decimal(dynamic.max_priority_fee)}};
}

Fees fees_from(const json::object& object) {
    if (const auto* price = object.if_contains("gasPrice")) return LegacyFee{wei(*price)};
    return DynamicFee{wei(object.at("maxFeePerGas")), wei(object.at("maxPriorityFeePerGas"))};
}

json::object to_json(const BlockRef& block) {
    return {{"number", block.number.value()},
            {"hash", to_hex_prefixed(block.hash.view())},
            {"parentHash", to_hex_prefixed(block.parent.view())}};
}

json::array to_json(const std::vector<BlockRef>& blocks) {
    json::array array;
    for (const auto& block : blocks)
        array.push_back(to_json(block));
    return array;
}

std::vector<BlockRef> blocks_from(const json::array& array) {
    std::vector<BlockRef> blocks;
    for (const auto& value : array) {
        const auto& object = value.as_object();
        blocks.push_back({BlockNumber(object.at("number").to_number<std::uint64_t>()),
                          fixed<BlockHash>(object.at("hash")), fixed<BlockHash>(object.at("parentHash"))});
    }
    return blocks;
}

struct EventToJson {
    json::object operator()(const TxAccepted& e) const {
        json::object object{{"submitter", e.submitter.to_string()}};
        if (e.requeued_from) object["requeuedFrom"] = e.requeued_from->value().to_string();
        return object;
    }
    json::object operator()(const TxSubmitted& e) const { return {{"txHash", to_hex_prefixed(e.hash.view())}}; }
    json::object operator()(const TxReceiptUpdated& e) const {
        return {{"blockNumber", e.block_number.value()}, {"succeeded", e.succeeded}};
    }
    json::object operator()(const TxConfirmed& e) const {
        return {{"confirmations", to_json(e.confirmations)}, {"newFork", e.new_fork}};
    }
    json::object operator()(const TxFailed& e) const { return {{"reason", storable(e.reason)}}; }
    json::object operator()(const TxVerdictRevoked& e) const {
        return {{"verdict", std::string(name_of(e.verdict))}, {"reason", storable(e.reason)}};
    }
};

}  // namespace

std::string encode(const Intent& intent) {
    json::object object{{"value", decimal(intent.value)}, {"data", to_hex_prefixed(intent.data)}};
    if (intent.to) object["to"] = *intent.to;
    if (intent.gas_limit) object["gas"] = intent.gas_limit->value();
    if (const auto* speed = std::get_if<Speed>(&intent.fee)) {
        object["speed"] = name_of(*speed);
    } else {
        object["fee"] = to_json(std::get<Fees>(intent.fee));
    }
    if (intent.valid_until) object["validUntil"] = intent.valid_until->time_since_epoch().count();
    return json::serialize(object);
}

Intent decode_intent(std::string_view json_text) {
    const auto value = parse(json_text);
    const auto& object = value.as_object();
    Intent intent{.value = wei(object.at("value")), .data = from_hex(object.at("data").as_string()).value()};
    if (const auto* to = object.if_contains("to")) intent.to = text(*to);
    if (const auto* gas = object.if_contains("gas")) intent.gas_limit = Gas(gas->to_number<std::uint64_t>());
    if (const auto* speed = object.if_contains("speed")) {
        intent.fee = value_of<Speed>(speed->as_string()).value();
    } else {
        intent.fee = fees_from(object.at("fee").as_object());
    }
    if (const auto* until = object.if_contains("validUntil")) {
        intent.valid_until = UnixTime(std::chrono::microseconds(until->to_number<std::int64_t>()));
    }
    return intent;
}

std::string encode(const GasParams& params) {
    auto object = to_json(params.fees);
    object["gas"] = params.gas_limit.value();
    return json::serialize(object);
}

GasParams decode_gas_params(std::string_view json_text) {
    const auto value = parse(json_text);
    const auto& object = value.as_object();
    return {fees_from(object), Gas(object.at("gas").to_number<std::uint64_t>())};
}

// Same form as an intent, with price and limit settled.
std::string encode(const ClaimedSend& claim) {
    return encode(Intent{.to = claim.to,
                         .value = claim.value,
                         .data = claim.data,
                         .gas_limit = claim.gas_limit,
                         .fee = claim.fees,
                         .valid_until = {}});
}

ClaimedSend decode_claimed_send(AttemptKind kind, Nonce nonce, std::string_view json_text) {
    auto asked = decode_intent(json_text);
    return {.kind = kind,
            .nonce = nonce,
            .to = std::move(asked.to),
            .value = asked.value,
            .data = std::move(asked.data),
            .gas_limit = asked.gas_limit.value(),
            .fees = std::get<Fees>(asked.fee)};
}

std::string encode(const Receipt& receipt) {
    json::object object{{"txHash", to_hex_prefixed(receipt.hash.view())},
                        {"blockNumber", receipt.block_number.value()},
                        {"blockHash", to_hex_prefixed(receipt.block_hash.view())},
                        {"succeeded", receipt.succeeded},
                        {"gasUsed", receipt.gas_used.value()},
                        {"effectiveGasPrice", decimal(receipt.effective_gas_price)}};
    if (receipt.contract) object["contractAddress"] = *receipt.contract;
    return json::serialize(object);
}

Receipt decode_receipt(std::string_view json_text) {
    const auto value = parse(json_text);
    const auto& object = value.as_object();
    Receipt receipt{.hash = fixed<TxHash>(object.at("txHash")),
                    .block_number = BlockNumber(object.at("blockNumber").to_number<std::uint64_t>()),
                    .block_hash = fixed<BlockHash>(object.at("blockHash")),
                    .succeeded = object.at("succeeded").as_bool(),
                    .gas_used = Gas(object.at("gasUsed").to_number<std::uint64_t>()),
                    .effective_gas_price = wei(object.at("effectiveGasPrice"))};
    if (const auto* contract = object.if_contains("contractAddress")) receipt.contract = text(*contract);
    return receipt;
}

std::string encode(const std::vector<BlockRef>& blocks) { return json::serialize(to_json(blocks)); }
std::vector<BlockRef> decode_blocks(std::string_view json_text) { return blocks_from(parse(json_text).as_array()); }

std::string encode(const TxEventBody& event) { return json::serialize(std::visit(EventToJson{}, event)); }

TxEventBody decode_event(std::string_view kind, std::string_view json_text) {
    const auto value = parse(json_text);
    const auto& object = value.as_object();
    if (kind == TxAccepted::name) {
        TxAccepted accepted{SubmitterId::parse(object.at("submitter").as_string()).value()};
        if (const auto* from = object.if_contains("requeuedFrom"))
            accepted.requeued_from = TxId(Uuid::parse(from->as_string()).value());
        return accepted;
    }
    if (kind == TxSubmitted::name) return TxSubmitted{fixed<TxHash>(object.at("txHash"))};
    if (kind == TxReceiptUpdated::name) {
        return TxReceiptUpdated{BlockNumber(object.at("blockNumber").to_number<std::uint64_t>()),
                                object.at("succeeded").as_bool()};
    }
    if (kind == TxConfirmed::name) {
        return TxConfirmed{blocks_from(object.at("confirmations").as_array()), object.at("newFork").as_bool()};
    }
    if (kind == TxVerdictRevoked::name) {
        return TxVerdictRevoked{value_of<State>(text(object.at("verdict"))).value(), text(object.at("reason"))};
    }
    FP_ASSERT(kind == TxFailed::name, "unknown event kind {}", kind);
    return TxFailed{text(object.at("reason"))};
}

std::string encode_detail(std::string_view detail) { return json::serialize(json::value(storable(detail))); }
std::string decode_detail(std::string_view json_text) { return text(parse(json_text)); }

}  // namespace fencepost::store
