// Account methods: balances, nonces, and the results of contract calls.
#include <algorithm>
#include <limits>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "codec/abi/abi_call.hpp"
#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;

RpcAnswer balance(RpcWorld& world, const Params& params) {
    const auto account = params.address(0);
    if (!account) return err(account.error());
    const auto at = params.block_with_state(1, world.ledger);
    if (!at) return err(at.error());
    return evm::write_quantity(at->state(world.ledger).account(*account).balance);
}

RpcAnswer transaction_count(RpcWorld& world, const Params& params) {
    const auto account = params.address(0);
    if (!account) return err(account.error());
    const auto at = params.block_with_state(1, world.ledger);
    if (!at) return err(at.error());
    const auto& state = *at->block->state;
    const auto nonce = at->pending ? world.ledger.pool().next_nonce(*account, state) : state.account(*account).nonce;
    return evm::write_quantity(nonce.value());
}

// Contracts on this chain are functions of this program, so a single byte stands for their code.
RpcAnswer code(RpcWorld& world, const Params& params) {
    const auto account = params.address(0);
    if (!account) return err(account.error());
    return Json(world.ledger.ledger().contracts().contains(*account) ? "0xfe" : "0x");
}

RpcAnswer storage(RpcWorld& /*world*/, const Params& /*params*/) { return Json("0x" + std::string(64, '0')); }

RpcAnswer no_accounts(RpcWorld& /*world*/, const Params& /*params*/) { return Json(json::array{}); }

struct Call {
    Address from;
    std::optional<Address> to;
    Wei value;
    Bytes data;
    Gas gas{std::numeric_limits<std::uint64_t>::max()};
    Uint256 price;  // 0: the gas is not charged
};

const Json& first_of(const Json& call, std::string_view name, std::string_view other) {
    const auto& value = evm::field_of(call, name);
    return value.is_null() ? evm::field_of(call, other) : value;
}

/// Reads an optional field into `into`.
template <typename Into, typename T>
Status<RpcFailure> read(const Json& json, std::string_view name,
                        evm::Parsed<T> (*reader)(const Json&, std::string_view), Into& into) {
    if (json.is_null()) return {};
    auto value = reader(json, name);
    if (!value) return invalid_params(fmt::format("invalid argument 0: {}", value.error().what));
    into = Into(*std::move(value));
    return {};
}

MethodResult<Call> read_call(const Json& json) {
    if (!json.is_object()) return invalid_params("missing value for required argument 0");
    Call call;
    for (auto status :
         {read(evm::field_of(json, "from"), "from", evm::read_address, call.from),
          read(evm::field_of(json, "to"), "to", evm::read_address, call.to),
          read(evm::field_of(json, "value"), "value", evm::read_quantity, call.value),
          read(first_of(json, "input", "data"), "data", evm::read_data, call.data),
          read(evm::field_of(json, "gas"), "gas", evm::read_uint64, call.gas),
          read(first_of(json, "maxFeePerGas", "gasPrice"), "maxFeePerGas", evm::read_quantity, call.price)}) {
        if (!status) return err(status.error());
    }
    return call;
}

RpcFailure revert_failure(const std::string& reason) {
    const auto arguments = json::serialize(json::array{reason});
    const auto data = codec::encode_call("Error(string)", arguments);
    return {RpcCode::execution_reverted, fmt::format("execution reverted: {}", reason),
            data ? evm::write_data(*data) : Json(nullptr)};
}

MethodResult<sim::CallOutcome> run(const Call& call, const sim::BlockBuilder& builder) {
    const auto account = builder.state().account(call.from);
    const auto left = Uint256::checked_sub(account.balance, call.value.value());
    if (!left) return err(RpcFailure{RpcCode::server_error, "insufficient funds for transfer"});
    auto outcome = builder.try_call({.sender = call.from, .value = call.value, .data = call.data}, call.to);
    if (!outcome.succeeded) return err(revert_failure(outcome.reason));
    auto allowance = Uint256(call.gas.value());
    if (!call.price.is_zero()) allowance = std::min(allowance, *left / call.price);
    if (Uint256(outcome.gas_used.value()) > allowance) {
        return err(RpcFailure{RpcCode::server_error, fmt::format("gas required exceeds allowance ({})", allowance)});
    }
    return outcome;
}

MethodResult<sim::CallOutcome> try_call(RpcWorld& world, const Params& params) {
    const auto call = read_call(params.at(0));
    if (!call) return err(call.error());
    const auto at = params.block_with_state(1, world.ledger);
    if (!at) return err(at.error());
    return run(*call, at->builder(world.ledger));
}

RpcAnswer call(RpcWorld& world, const Params& params) {
    const auto outcome = try_call(world, params);
    if (!outcome) return err(outcome.error());
    return evm::write_data(outcome->output);
}

RpcAnswer estimate_gas(RpcWorld& world, const Params& params) {
    const auto outcome = try_call(world, params);
    if (!outcome) return err(outcome.error());
    return evm::write_quantity(outcome->gas_used.value());
}

}  // namespace

RpcMethods account_methods() {
    return {{"eth_accounts", no_accounts},
            {"eth_getBalance", balance},
            {"eth_getTransactionCount", transaction_count},
            {"eth_getCode", code},
            {"eth_getStorageAt", storage},
            {"eth_call", call},
            {"eth_estimateGas", estimate_gas}};
}

}  // namespace fencepost::devchain
