// Builds eth_signTransaction and verifies its answer.
#include "signers/sign_request.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <boost/json/object.hpp>

#include "base/text/hex.hpp"
#include "codec/from_port.hpp"
#include "codec/transaction.hpp"

namespace fencepost::signers {
namespace {

namespace json = boost::json;

std::string quantity(std::uint64_t value) { return Uint256(value).to_quantity(); }
std::string quantity(const Wei& value) { return value.value().to_quantity(); }

void add_fees(json::object& call, const LegacyFee& fee) { call["gasPrice"] = quantity(fee.gas_price); }
void add_fees(json::object& call, const DynamicFee& fee) {
    call["maxFeePerGas"] = quantity(fee.max_fee);
    call["maxPriorityFeePerGas"] = quantity(fee.max_priority_fee);
}

/// Web3Signer returns the bytes; Clef and geth return an object with the bytes in "raw".
std::optional<std::string_view> raw_text(const json::value& answer) {
    const auto* object = answer.if_object();
    const auto* raw = object != nullptr ? object->if_contains("raw") : &answer;
    if (raw == nullptr || !raw->is_string()) return std::nullopt;
    return std::string_view(raw->get_string());
}

SignError mismatch(std::string what) { return {SignError::Kind::mismatch, std::move(what)}; }

}  // namespace

jsonrpc::Request sign_request(const UnsignedTransaction& wanted) {
    json::object call{
        {"from", wanted.from.account()},           {"gas", quantity(wanted.gas_limit.value())},
        {"value", quantity(wanted.value)},         {"data", to_hex_prefixed(wanted.data)},
        {"nonce", quantity(wanted.nonce.value())}, {"chainId", quantity(wanted.from.chain().evm_chain_id().value())}};
    if (wanted.to) call["to"] = *wanted.to;
    std::visit([&call](const auto& fee) { add_fees(call, fee); }, wanted.fees);
    return {.method = "eth_signTransaction", .params = {std::move(call)}};
}

Result<SignedTransaction, SignError> check_signed(const json::value& answer, const UnsignedTransaction& wanted) {
    const auto text = raw_text(answer);
    if (!text) return err(mismatch("the remote signer's answer contains no signed bytes"));
    auto raw = from_hex(*text);
    if (!raw) return err(mismatch("the remote signer's answer is not hexadecimal"));
    const auto decoded = codec::decode(*raw);
    if (!decoded)
        return err(mismatch("the remote signer's answer is not a signed transaction: " + decoded.error().what));
    if (const auto same = codec::same_transaction(*decoded, wanted); !same) {
        return err(mismatch("the remote signer signed another transaction than requested: " + same.error().what));
    }
    return SignedTransaction{.hash = decoded->hash, .raw = *std::move(raw)};
}

}  // namespace fencepost::signers
