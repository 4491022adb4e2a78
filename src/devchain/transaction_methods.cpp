// Methods about transactions: sending, finding, and the contents of the pool.
#include <fmt/format.h>

#include "devchain/rpc_json.hpp"
#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;

RpcAnswer send_raw(RpcWorld& world, const Params& params) {
    const auto raw = params.data(0);
    if (!raw) return err(raw.error());
    auto [hash, verdict] = world.ledger.submit(*raw);
    if (verdict.outcome != SendOutcome::accepted) {
        return err(RpcFailure{RpcCode::server_error, std::move(verdict.message)});
    }
    if (world.automine && !world.ledger.pending().transactions().empty()) {
        world.ledger.mine(world.clock.unix_now());
    }
    return evm::write_data(hash.view());
}

RpcAnswer by_hash(RpcWorld& world, const Params& params) {
    const auto hash = params.tx_hash(0);
    if (!hash) return err(hash.error());
    if (const auto executed = world.ledger.view().executed(*hash))
        return transaction_json(*executed->transaction, executed);
    const auto waiting = world.ledger.pool().find(*hash);
    return waiting ? transaction_json(*waiting, {}) : Json(nullptr);
}

RpcAnswer receipt(RpcWorld& world, const Params& params) {
    const auto hash = params.tx_hash(0);
    if (!hash) return err(hash.error());
    const auto executed = world.ledger.view().executed(*hash);
    return executed ? receipt_json(*executed) : Json(nullptr);
}

Json at_index(const sim::SimBlock* block, const Uint256& wanted) {
    const auto index = wanted.to_uint64();
    if (block == nullptr || !index || *index >= block->transactions.size()) return nullptr;
    const auto& transaction = block->transactions[*index];
    return transaction_json(*transaction, sim::Executed{transaction, block, *index});
}

RpcAnswer by_block_number(RpcWorld& world, const Params& params) {
    const auto chosen = params.block(0, world.ledger);
    if (!chosen) return err(chosen.error());
    const auto index = params.quantity(1);
    if (!index) return err(index.error());
    return at_index(chosen->pending ? nullptr : chosen->block, *index);
}

RpcAnswer by_block_hash(RpcWorld& world, const Params& params) {
    const auto hash = params.block_hash(0);
    if (!hash) return err(hash.error());
    const auto index = params.quantity(1);
    if (!index) return err(index.error());
    return at_index(world.ledger.view().block(*hash), *index);
}

struct PoolContents {
    json::object pending;  // by account, then by nonce
    json::object queued;   // behind a nonce gap
    std::uint64_t pending_count = 0;
    std::uint64_t queued_count = 0;
};

PoolContents contents(const DevLedger& ledger) {
    PoolContents result;
    for (const auto& transaction : ledger.pool().contents()) {
        const bool gapped = transaction->nonce >= ledger.pool().next_nonce(transaction->sender, *ledger.head().state);
        auto& accounts = gapped ? result.queued : result.pending;
        (gapped ? result.queued_count : result.pending_count) += 1;
        auto& slots = accounts[transaction->sender.to_checksum()];
        if (!slots.is_object()) slots.emplace_object();
        slots.get_object()[fmt::format("{}", transaction->nonce)] = transaction_json(*transaction, {});
    }
    return result;
}

RpcAnswer pool_status(RpcWorld& world, const Params& /*params*/) {
    const auto pool = contents(world.ledger);
    return Json(json::object{{"pending", evm::write_quantity(pool.pending_count)},
                             {"queued", evm::write_quantity(pool.queued_count)}});
}

RpcAnswer pool_content(RpcWorld& world, const Params& /*params*/) {
    auto pool = contents(world.ledger);
    return Json(json::object{{"pending", std::move(pool.pending)}, {"queued", std::move(pool.queued)}});
}

RpcAnswer pool_content_from(RpcWorld& world, const Params& params) {
    const auto account = params.address(0);
    if (!account) return err(account.error());
    const auto pool = contents(world.ledger);
    const auto slots_in = [key = account->to_checksum()](const json::object& accounts) {
        const auto* slots = accounts.if_contains(key);
        return slots == nullptr ? Json(json::object{}) : *slots;
    };
    return Json(json::object{{"pending", slots_in(pool.pending)}, {"queued", slots_in(pool.queued)}});
}

}  // namespace

RpcMethods transaction_methods() {
    return {{"eth_sendRawTransaction", send_raw},
            {"eth_getTransactionByHash", by_hash},
            {"eth_getTransactionReceipt", receipt},
            {"eth_getTransactionByBlockNumberAndIndex", by_block_number},
            {"eth_getTransactionByBlockHashAndIndex", by_block_hash},
            {"txpool_status", pool_status},
            {"txpool_content", pool_content},
            {"txpool_contentFrom", pool_content_from}};
}

}  // namespace fencepost::devchain
