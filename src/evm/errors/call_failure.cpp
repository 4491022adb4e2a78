// Patterns of failed calls in six clients, and where each puts the revert data.
#include "evm/errors/call_failure.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/text/printable.hpp"
#include "codec/revert.hpp"
#include "evm/errors/rpc_errors.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {
namespace {

constexpr std::int64_t execution_reverted = 3;  // geth and compatible nodes
constexpr std::size_t longest_text = 512;
constexpr int deepest_data = 4;

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> reverts{"execution reverted", "reverted with",
                                                  "vm exception while processing transaction", "transaction reverted",
                                                  "evm revert"};
constexpr std::array<std::string_view, 6> cannot_pay{"insufficient funds",      "insufficient balance",
                                                     "exceeds account balance", "doesn't have enough funds",
                                                     "exceeds allowance (0)",  // no balance left to pay for gas
                                                     "not enough funds"};
// The call fails for another reason than a revert. geth says "gas required exceeds allowance" when the call fails with
// the maximum gas: no price was given, so the allowance is not a matter of balance.
constexpr std::array<std::string_view, 11> failures{"gas required exceeds allowance",
                                                    "always failing transaction",
                                                    "invalid opcode",
                                                    "bad instruction",
                                                    "out of gas",
                                                    "invalid jump destination",
                                                    "bad jump destination",
                                                    "stack underflow",
                                                    "evm error",
                                                    "vm execution error",
                                                    "execution failed due to an exception"};

bool contains_any(std::string_view text, Words words) {
    return std::ranges::any_of(words, [text](auto word) { return text.find(word) != std::string_view::npos; });
}

std::string shown(std::string_view text) { return printable(as_bytes(text), longest_text); }

// Nethermind and OpenEthereum return "Reverted 0x…".
std::optional<Bytes> bytes_in(std::string_view text) {
    static constexpr std::string_view prefix = "Reverted ";
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    auto bytes = read_data(Json(text), "data");
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

// The data may be the error's own, or nested: hardhat {message, data}, provider wrappers {originalError: {data}},
// ganache {<hash>: {return}}.
std::optional<Bytes> find_data(const Json& json, int depth) {
    if (const auto* text = json.if_string()) return bytes_in(*text);
    const auto* object = json.if_object();
    if (object == nullptr || depth == 0) return std::nullopt;
    for (const auto* name : {"data", "return", "result", "output"}) {
        if (auto found = find_data(field_of(json, name), depth - 1)) return found;
    }
    for (const auto& [name, value] : *object) {
        if (!value.is_object()) continue;
        if (auto found = find_data(value, depth - 1)) return found;
    }
    return std::nullopt;
}

// The reason as decoded by the node.
std::optional<std::string> reason_in(std::string_view message) {
    static constexpr std::array<std::string_view, 5> before{
        "execution reverted: ", "reverted with reason string ", "reverted with custom error ",
        "VM Exception while processing transaction: revert ", "reverted with panic code "};
    for (const auto words : before) {
        const auto at = message.find(words);
        if (at == std::string_view::npos) continue;
        auto reason = message.substr(at + words.size());
        if (reason.size() > 1 && reason.front() == '\'' && reason.back() == '\'') {
            reason = reason.substr(1, reason.size() - 2);
        }
        if (!reason.empty()) return shown(reason);
    }
    return std::nullopt;
}

Reverted why(const std::optional<Bytes>& data, std::string_view message) {
    const auto decoded = codec::decode_revert(data.value_or(Bytes{}));
    using Kind = codec::RevertReason::Kind;
    if (decoded.kind == Kind::message || decoded.kind == Kind::panic) return {decoded.text};
    // A node that knows the contract's ABI names custom errors.
    if (auto named = reason_in(message)) return {std::move(*named)};
    if (decoded.kind == Kind::custom) return {decoded.text};
    return {"reverted without a reason"};
}

bool says_reverted(const Json& data) {
    const auto* text = data.if_string();
    return text != nullptr && std::string_view(*text).starts_with("Reverted");
}

}  // namespace

std::optional<CallFailure> read_call_failure(const jsonrpc::ErrorAnswer& answer) {
    const auto message = lower_case(answer.message);
    // Checked before the balance: a contract's revert reason may be "insufficient funds".
    if (answer.code == execution_reverted || contains_any(message, reverts) || says_reverted(answer.data)) {
        return why(find_data(answer.data, deepest_data), answer.message);
    }
    if (contains_any(message, cannot_pay)) return Unaffordable{shown(answer.message)};
    if (contains_any(message, failures)) return Reverted{shown(answer.message)};
    return std::nullopt;
}

}  // namespace fencepost::evm
