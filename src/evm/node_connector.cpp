// eth_sendTransaction, and comparing what the node sent.
#include "evm/node_connector.hpp"

#include <utility>

#include <boost/json/object.hpp>

#include "base/assert.hpp"
#include "codec/from_port.hpp"
#include "evm/errors/rpc_errors.hpp"
#include "evm/errors/send_errors.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {
namespace {

void add_fees(boost::json::object& json, const LegacyFee& fee) {
    json["gasPrice"] = write_quantity(fee.gas_price.value());
}
void add_fees(boost::json::object& json, const DynamicFee& fee) {
    json["maxFeePerGas"] = write_quantity(fee.max_fee.value());
    json["maxPriorityFeePerGas"] = write_quantity(fee.max_priority_fee.value());
}

// Every field is set: a node that fills one in would send something else than what is recorded.
Json to_json(const UnsignedTransaction& transaction) {
    boost::json::object json{{"from", transaction.from.account()},
                             {"nonce", write_quantity(transaction.nonce.value())},
                             {"value", write_quantity(transaction.value.value())},
                             {"gas", write_quantity(transaction.gas_limit.value())},
                             {"data", write_data(transaction.data)},
                             {"chainId", write_quantity(transaction.from.chain().evm_chain_id().value())}};
    if (transaction.to) json["to"] = *transaction.to;
    std::visit([&json](const auto& fee) { add_fees(json, fee); }, transaction.fees);
    return json;
}

bool has_quantity(const Json& json, std::string_view field, const Uint256& wanted) {
    const auto value = read_quantity(field_of(json, field), field);
    return value && *value == wanted;
}

bool has_fees(const Json& json, const LegacyFee& fee) {
    return field_of(json, "maxFeePerGas").is_null() && has_quantity(json, "gasPrice", fee.gas_price.value());
}
bool has_fees(const Json& json, const DynamicFee& fee) {
    return has_quantity(json, "maxFeePerGas", fee.max_fee.value()) &&
           has_quantity(json, "maxPriorityFeePerGas", fee.max_priority_fee.value());
}

bool goes_to(const Json& json, const std::optional<std::string>& to) {
    if (!to) return field_of(json, "to").is_null();
    const auto seen = read_address(field_of(json, "to"), "to");
    const auto wanted = Address::parse(*to);
    return seen && wanted && *seen == *wanted;
}

bool is_this(const Json& json, const UnsignedTransaction& wanted) {
    const auto from = read_address(field_of(json, "from"), "from");
    const auto input = read_data(field_of(json, "input"), "input");
    return from && *from == wanted.from.evm_address() && input && *input == wanted.data &&
           has_quantity(json, "nonce", wanted.nonce.value()) && goes_to(json, wanted.to) &&
           has_quantity(json, "value", wanted.value.value()) && has_quantity(json, "gas", wanted.gas_limit.value()) &&
           std::visit([&](const auto& fee) { return has_fees(json, fee); }, wanted.fees);
}

RpcError to_rpc_error(const SignError& error) {
    const bool silent = error.kind == SignError::Kind::unavailable;
    return {silent ? RpcError::Kind::unreachable : RpcError::Kind::refused, error.what};
}

}  // namespace

NodeConnector::NodeConnector(jsonrpc::JsonRpc& rpc, Signer* same_key, NodeConnectorOptions options)
    : rpc_(rpc),
      same_key_(same_key),
      options_(std::move(options)) {}

Task<jsonrpc::Answer> NodeConnector::ask(jsonrpc::Request request) {
    std::vector<jsonrpc::Request> batch;
    batch.push_back(std::move(request));
    auto answers = co_await rpc_.call(std::move(batch), options_.time_limit);
    FP_ASSERT(answers.size() == 1);
    co_return std::move(answers.front());
}

Task<ConnectorAnswer> NodeConnector::send(UnsignedTransaction transaction) {
    if (const auto fits = codec::is_evm_transaction(transaction); !fits) {
        co_return ConnectorAnswer{.outcome = SendOutcome::rejected, .message = fits.error().what};
    }
    const auto answer = co_await ask({"eth_sendTransaction", {to_json(transaction)}});
    if (!answer) {
        auto report = report_of(options_.name, TxHash{}, answer);
        co_return ConnectorAnswer{.outcome = report.outcome, .message = std::move(report.message)};
    }
    const auto hash = read_tx_hash(*answer, "the answer");
    if (!hash) co_return ConnectorAnswer{.message = hash.error().what};
    co_return ConnectorAnswer{.outcome = SendOutcome::accepted, .hash = *hash};
}

Task<RpcResult<TxHash>> NodeConnector::hash_of(UnsignedTransaction transaction) {
    if (same_key_ == nullptr) co_return err(RpcError{RpcError::Kind::unsupported, "no signer for the same key"});
    const auto made = co_await same_key_->sign(std::move(transaction));
    if (!made) co_return err(to_rpc_error(made.error()));
    co_return made->hash;
}

Task<RpcResult<std::optional<TxHash>>> NodeConnector::sent_at(SubmitterId /*submitter*/, Nonce /*nonce*/) {
    co_return err(RpcError{RpcError::Kind::unsupported, "nodes cannot look up a sent transaction by nonce"});
}

Task<RpcResult<bool>> NodeConnector::is_same(TxHash hash, UnsignedTransaction transaction) {
    const auto answer = co_await ask({"eth_getTransactionByHash", {write_data(hash.view())}});
    if (!answer) co_return err(evm::to_rpc_error(answer.error()));
    if (!answer->is_object())
        co_return err(RpcError{RpcError::Kind::no_evidence, "the node does not know the transaction"});
    co_return is_this(*answer, transaction);
}

}  // namespace fencepost::evm
