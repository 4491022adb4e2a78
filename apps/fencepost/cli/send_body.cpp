#include "cli/send_body.hpp"

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "cli/json_fields.hpp"
#include "config/keys/values.hpp"

namespace fencepost::cli {
namespace {

using CheckResult = Status<std::string>;

Result<std::string, std::string> wei_of(const std::string& text) {
    if (const auto quantity = Uint256::parse(text)) return quantity->to_decimal();
    const auto amount = config::read_amount(text);
    if (amount) return amount->value().to_decimal();
    return err(fmt::format("\"{}\" {}", text, amount.error().what));
}

CheckResult add_amount(json::object& object, std::string_view name, const std::string& text) {
    if (text.empty()) return {};
    auto wei = wei_of(text);
    if (!wei) return err(std::move(wei.error()));
    object.emplace(name, *std::move(wei));
    return {};
}

Result<std::string, std::string> data_of(const std::string& text) {
    std::string digits = text;
    if (text.starts_with('@')) {
        std::ifstream file(text.substr(1), std::ios::binary);
        digits.assign(std::istreambuf_iterator<char>(file), {});
        if (!file || digits.empty()) return err(fmt::format("{} cannot be read, or is empty", text.substr(1)));
        digits.erase(digits.find_last_not_of(" \t\r\n") + 1);
    }
    auto bytes = from_hex(digits);
    if (!bytes) return err(fmt::format("--data is not hexadecimal: {}", bytes.error().what));
    return to_hex_prefixed(*bytes);
}

CheckResult add_call(json::object& payload, const RequestedTx& wanted) {
    json::array arguments;
    for (const auto& text : wanted.arguments) {
        auto argument = argument_of(text);
        if (!argument) return err(std::move(argument.error()));
        arguments.push_back(*std::move(argument));
    }
    payload.emplace("abi", wanted.call);
    payload.emplace("args", std::move(arguments));
    return {};
}

CheckResult add_data(json::object& payload, const RequestedTx& wanted) {
    if (!wanted.call.empty()) return add_call(payload, wanted);
    if (wanted.data.empty()) return {};
    auto data = data_of(wanted.data);
    if (!data) return err(std::move(data.error()));
    payload.emplace("data", *std::move(data));
    return {};
}

CheckResult add_fee(json::object& payload, const RequestedTx& wanted) {
    if (!wanted.speed.empty()) payload.emplace("fee", wanted.speed);
    json::object fee;
    for (const auto& [name, text] :
         {std::pair("maxFeePerGas", &wanted.max_fee), std::pair("maxPriorityFeePerGas", &wanted.max_priority_fee),
          std::pair("gasPrice", &wanted.gas_price)}) {
        if (auto added = add_amount(fee, name, *text); !added) return added;
    }
    if (!fee.empty()) payload.emplace("fee", std::move(fee));
    return {};
}

struct Rule {
    bool broken;
    std::string_view sentence;
};

CheckResult check(std::initializer_list<Rule> rules) {
    for (const auto& rule : rules) {
        if (rule.broken) return err(std::string(rule.sentence));
    }
    return {};
}

// A missing --to must not deploy a contract by accident.
CheckResult check_what(const RequestedTx& wanted) {
    return check({
        {wanted.from.empty(), "--from is missing: name the submitter that sends the transaction"},
        {wanted.to.empty() && !wanted.deploy,
         "--to is missing: name the recipient, or deploy a contract with --deploy and --data"},
        {wanted.deploy && !wanted.to.empty(), "--deploy creates a contract and cannot have --to"},
        {wanted.deploy && wanted.data.empty(), "--deploy needs --data with the contract's code"},
        {!wanted.call.empty() && !wanted.data.empty(), "use either --data or --call: a call sets the data"},
        {wanted.call.empty() && !wanted.arguments.empty(), "--args needs --call with the function"},
    });
}

CheckResult check_price(const RequestedTx& wanted) {
    const bool has_limits = !wanted.max_fee.empty() || !wanted.max_priority_fee.empty();
    const bool has_price = !wanted.gas_price.empty();
    return check({
        {!wanted.speed.empty() && (has_limits || has_price), "use either --speed or explicit fees"},
        {has_limits && has_price, "use either --gas-price, for a legacy transaction, or --max-fee"},
        {!wanted.max_priority_fee.empty() && wanted.max_fee.empty(), "--max-priority-fee also needs --max-fee"},
        {!wanted.max_fee.empty() && wanted.max_priority_fee.empty(),
         "--max-fee also needs --max-priority-fee, the tip for the block producer, for example 1gwei"},
    });
}

}  // namespace

Result<json::value, std::string> argument_of(const std::string& text) {
    if (text == "true" || text == "false") return json::value(text == "true");
    if (text.empty() || !std::string_view("[{\"").contains(text.front())) return json::value(text);
    auto parsed = parse_document(text);
    if (!parsed) {
        return err(
            fmt::format("the argument {} starts like JSON but is invalid: write arrays as in [\"1\",\"2\"]", text));
    }
    return *std::move(parsed);
}

Result<json::object, std::string> body_of(const RequestedTx& wanted, const std::string& request_id) {
    if (auto checked = check_what(wanted); !checked) return err(std::move(checked.error()));
    if (auto checked = check_price(wanted); !checked) return err(std::move(checked.error()));
    json::object payload;
    if (!wanted.to.empty()) payload.emplace("to", wanted.to);
    if (auto added = add_amount(payload, "value", wanted.value); !added) return err(std::move(added.error()));
    if (auto added = add_data(payload, wanted); !added) return err(std::move(added.error()));
    if (!wanted.gas.empty()) payload.emplace("gas", wanted.gas);
    if (auto added = add_fee(payload, wanted); !added) return err(std::move(added.error()));
    if (!wanted.valid_until.empty()) payload.emplace("validUntil", wanted.valid_until);
    return json::object{{"submitter", wanted.from}, {"requestId", request_id}, {"payload", std::move(payload)}};
}

Result<json::array, std::string> items_of(std::string_view text) {
    auto document = parse_document(text);
    if (!document) return err(std::move(document.error().what));
    if (document->is_array()) return std::move(document->get_array());
    if (const auto* const items = find(*document, "/items"); items != nullptr && items->is_array()) {
        return items->get_array();
    }
    return err(std::string("it is neither an array of transactions nor an object with \"items\""));
}

}  // namespace fencepost::cli
