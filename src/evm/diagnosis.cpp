// Searches blocks and mempools for a transaction, and replays failed ones.
#include "evm/diagnosis.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "evm/errors/call_failure.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

// txpool_contentFrom uses decimal nonces as keys.
Parsed<std::optional<TxHash>> read_pool_entry(const Json& pool, Nonce nonce) {
    if (!pool.is_object()) return err(ParseError{"txpool_contentFrom is not an object"});
    const auto key = fmt::format("{}", nonce);
    for (const auto* part : {"pending", "queued"}) {
        const auto& entry = field_of(field_of(pool, part), key);
        if (entry.is_null()) continue;
        const auto hash = read_tx_hash(field_of(entry, "hash"), "transaction.hash");
        if (!hash) return err(hash.error());
        return *hash;
    }
    return std::nullopt;
}

std::optional<TxHash> find_in_block(const Json& block, const Address& account, Nonce nonce) {
    const auto& transactions = field_of(block, "transactions");
    if (!transactions.is_array()) return std::nullopt;
    for (const auto& transaction : transactions.get_array()) {
        const auto from = read_address(field_of(transaction, "from"), "transaction.from");
        const auto at = read_uint64(field_of(transaction, "nonce"), "transaction.nonce");
        const auto hash = read_tx_hash(field_of(transaction, "hash"), "transaction.hash");
        if (from == account && at == nonce.value() && hash) return *hash;
    }
    return std::nullopt;
}

// Copies the fields as the node returned them, without a price: the account need not be able to pay a second time.
Json to_call(const Json& transaction) {
    boost::json::object call;
    for (const auto* name : {"from", "to", "gas", "value", "accessList"}) {
        const auto& value = field_of(transaction, name);
        if (!value.is_null()) call[name] = value;
    }
    call["data"] = field_of(transaction, "input");
    return call;
}

bool used_all_gas(const Json& transaction, const Receipt& receipt) {
    const auto gas = read_uint64(field_of(transaction, "gas"), "transaction.gas");
    return gas && Gas(*gas) == receipt.gas_used;
}

}  // namespace

Task<RpcResult<std::optional<TxLocation>>> Diagnosis::find(TxHash hash) {
    std::vector<Request> batch{{"eth_getTransactionByHash", {write_data(hash.view())}}};
    const auto all = co_await rpc_.read_all(std::move(batch));
    RpcError error{RpcError::Kind::unreachable, "no endpoint answered"};
    bool answered = false;
    std::optional<TxLocation> best;
    for (const auto& answers : all) {
        FP_ASSERT(answers.size() == 1);
        const auto seen = read_answer(answers.front(), read_transaction);
        if (!seen) {
            error = seen.error();
            continue;
        }
        answered = true;
        if (!*seen || (*seen)->hash != hash) continue;
        if (!best || !best->block_number) best = (*seen)->where;
    }
    if (!answered) co_return err(error);
    co_return best;
}

Task<RpcResult<std::optional<TxHash>>> Diagnosis::pending_at(Address account, Nonce nonce) {
    std::vector<Request> batch{{"txpool_contentFrom", {account.to_lower()}}};
    const auto all = co_await rpc_.read_all(std::move(batch));
    RpcError error{RpcError::Kind::unreachable, "no endpoint answered"};
    bool answered = false;
    for (const auto& answers : all) {
        FP_ASSERT(answers.size() == 1);
        if (!answers.front()) {
            error = to_rpc_error(answers.front().error());
            continue;
        }
        const auto entry = read_pool_entry(*answers.front(), nonce);
        if (!entry) {
            error = malformed(entry.error());
            continue;
        }
        answered = true;
        if (*entry) co_return *entry;
    }
    if (answered) co_return std::nullopt;
    if (auto next = co_await in_next_block(account, nonce)) co_return next;
    co_return err(error);
}

Task<std::optional<TxHash>> Diagnosis::in_next_block(Address account, Nonce nonce) {
    std::vector<Request> batch{{"eth_getBlockByNumber", {"pending", true}}};
    for (const auto& answers : co_await rpc_.read_all(std::move(batch))) {
        FP_ASSERT(answers.size() == 1);
        if (!answers.front()) continue;
        if (auto found = find_in_block(*answers.front(), account, nonce)) co_return found;
    }
    co_return std::nullopt;
}

Task<RpcResult<std::string>> Diagnosis::failure_reason(Receipt receipt) {
    const auto transaction = co_await mined_transaction(receipt);
    if (!transaction) co_return err(transaction.error());
    const BlockNumber parent(receipt.block_number.value() - std::min<std::uint64_t>(receipt.block_number.value(), 1));
    std::vector<Request> batch{{"eth_call", {to_call(*transaction), write_number(parent)}}};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{receipt.block_number, 1});
    FP_ASSERT(answers.size() == 1);
    const auto& answer = answers.front();
    const auto* refusal = answer ? nullptr : std::get_if<jsonrpc::ErrorAnswer>(&answer.error());
    const auto failure = refusal != nullptr ? read_call_failure(*refusal) : std::nullopt;
    if (failure) {
        const auto* reverted = std::get_if<Reverted>(&*failure);
        co_return reverted != nullptr ? reverted->reason : std::get<Unaffordable>(*failure).what;
    }
    if (!answer) co_return err(to_rpc_error(answer.error()));
    if (used_all_gas(*transaction, receipt)) co_return "out of gas";
    co_return "no reason found: the call succeeds on the state before its block";
}

Task<RpcResult<Json>> Diagnosis::mined_transaction(Receipt receipt) {
    std::vector<Request> batch{{"eth_getTransactionByHash", {write_data(receipt.hash.view())}}};
    auto answers = co_await rpc_.read(std::move(batch), Evidence{receipt.block_number, 1});
    FP_ASSERT(answers.size() == 1);
    const auto seen = read_answer(answers.front(), read_transaction);
    if (!seen) co_return err(seen.error());
    if (!*seen || (*seen)->where.block_hash != receipt.block_hash) {
        co_return err(
            RpcError{RpcError::Kind::no_evidence, "the transaction is not in the block of its receipt any more"});
    }
    co_return std::move(*answers.front());
}

}  // namespace fencepost::evm
