#include "api/submit/payload.hpp"

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/hex.hpp"
#include "codec/abi/abi_call.hpp"
#include "codec/abi/abi_value.hpp"
#include "domain/address.hpp"

namespace fencepost::api {
namespace {

std::optional<std::string> read_destination(JsonFields& fields) {
    const auto text = fields.text("to");
    if (!text) return std::nullopt;
    const auto address = Address::parse(*text);
    if (address) return address->to_lower();
    fields.refuse("to", address.error().what);
    return std::nullopt;
}

Bytes read_data(JsonFields& fields) {
    const auto text = fields.text("data");
    if (!text) return {};
    if (text->size() > 2 * codec::max_abi_call + 2) {
        fields.refuse("data", fmt::format("is too long: nodes accept at most {} bytes", codec::max_abi_call));
        return {};
    }
    if (!text->starts_with("0x")) {
        fields.refuse("data", "must be 0x and hexadecimal digits");
        return {};
    }
    auto bytes = from_hex(*text);
    if (bytes) return *std::move(bytes);
    fields.refuse("data", bytes.error().what);
    return {};
}

// "/1/0/amount" → "args[1][0].amount"
std::string args_field(std::string_view pointer) {
    std::string field = "args";
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const auto part = pointer.substr(0, pointer.find('/'));
        const bool is_index = part.find_first_not_of("0123456789") == std::string_view::npos;
        field += is_index ? fmt::format("[{}]", part) : fmt::format(".{}", part);
        pointer.remove_prefix(part.size());
    }
    return field;
}

Bytes read_call(JsonFields& fields, std::string_view signature, const json::array* arguments) {
    auto call = codec::encode_call(signature, arguments == nullptr ? "[]" : json::serialize(*arguments));
    if (call) return *std::move(call);
    const auto& error = call.error();
    fields.refuse(error.kind == codec::AbiError::Kind::signature ? "abi" : args_field(error.pointer), error.what);
    return {};
}

Bytes read_call_or_data(JsonFields& fields) {
    const auto abi = fields.text("abi");
    const auto* const arguments = fields.array("args");
    const bool has_data = fields.has("data");
    auto data = read_data(fields);
    if (abi && has_data) fields.refuse("data", "conflicts with abi: send one of the two");
    if (abi) return read_call(fields, *abi, arguments);
    if (arguments != nullptr) fields.refuse("args", "needs abi, the function's signature");
    return data;
}

Fees read_prices(JsonFields& fields) {
    const auto gas_price = fields.amount("gasPrice");
    const auto max_fee = fields.amount("maxFeePerGas");
    const auto tip = fields.amount("maxPriorityFeePerGas");
    const bool is_dynamic = fields.has("maxFeePerGas") || fields.has("maxPriorityFeePerGas");
    if (fields.has("gasPrice") == is_dynamic) {
        fields.refuse("gasPrice", "send either gasPrice, or maxFeePerGas and maxPriorityFeePerGas");
    } else if (is_dynamic && !(fields.has("maxFeePerGas") && fields.has("maxPriorityFeePerGas"))) {
        fields.refuse(max_fee ? "maxPriorityFeePerGas" : "maxFeePerGas", "is missing: both are required");
    } else if (max_fee && tip && *tip > *max_fee) {
        fields.refuse("maxPriorityFeePerGas", "is more than maxFeePerGas");
    }
    if (gas_price) return LegacyFee{Wei(*gas_price)};
    return DynamicFee{Wei(max_fee.value_or(0)), Wei(tip.value_or(0))};
}

std::string all_speeds() {
    std::vector<std::string_view> names;
    for (const auto& [speed, name] : enum_names<Speed>)
        names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::variant<Speed, Fees> read_fee(JsonFields& fields, FieldErrors& field_errors) {
    const auto* const value = fields.find("fee");
    if (value == nullptr) return Speed::normal;
    if (const auto* object = value->if_object()) {
        JsonFields prices(*object, "payload.fee.", field_errors);
        auto fees = read_prices(prices);
        prices.refuse_unknown_fields();
        return fees;
    }
    const auto* const text = value->if_string();
    const auto speed = text == nullptr ? std::nullopt : value_of<Speed>(*text);
    if (speed) return *speed;
    fields.refuse("fee", fmt::format("must be one of {}, or an object with gasPrice, or with maxFeePerGas and "
                                     "maxPriorityFeePerGas",
                                     all_speeds()));
    return Speed::normal;
}

std::optional<Gas> read_gas(JsonFields& fields) {
    const auto gas = fields.small_amount("gas");
    if (!gas) return std::nullopt;
    if (*gas == 0) fields.refuse("gas", "must be more than 0; omit it to have it estimated");
    return Gas(*gas);
}

std::optional<UnixTime> read_valid_until(JsonFields& fields) {
    const auto text = fields.text("validUntil");
    if (!text) return std::nullopt;
    const auto time = parse_rfc3339(*text);
    if (time) return *time;
    fields.refuse("validUntil", time.error().what);
    return std::nullopt;
}

}  // namespace

Intent read_payload(const json::object& payload, FieldErrors& field_errors) {
    JsonFields fields(payload, "payload.", field_errors);
    Intent intent{.to = read_destination(fields), .value = Wei(fields.amount("value").value_or(0))};
    intent.data = read_call_or_data(fields);
    intent.gas_limit = read_gas(fields);
    intent.fee = read_fee(fields, field_errors);
    intent.valid_until = read_valid_until(fields);
    if (!fields.has("to") && fields.has("abi")) {
        fields.refuse("to", "is missing: a call with abi needs the contract's address");
    } else if (!fields.has("to") && intent.data.empty() && !fields.has("data")) {
        fields.refuse("to", "is missing; only a deployment has no to, and it needs data with the contract's code");
    } else if (!fields.has("to") && intent.data.empty() && !field_errors.any()) {
        fields.refuse("data", "is empty: a deployment (a transaction without to) needs the contract's code");
    }
    fields.refuse_unknown_fields();
    return intent;
}

}  // namespace fencepost::api
