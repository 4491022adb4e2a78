// Methods about the chain and its blocks.
#include "devchain/rpc_json.hpp"
#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;

Json or_null(const sim::SimBlock* block, const DevLedger& ledger, bool whole) {
    return block == nullptr ? Json(nullptr) : block_json(*block, ledger, whole);
}
Json count_or_null(const sim::SimBlock* block) {
    return block == nullptr ? Json(nullptr) : evm::write_quantity(block->transactions.size());
}

RpcAnswer client_version(RpcWorld& /*world*/, const Params& /*params*/) { return Json("fencepost-devchain/1"); }
RpcAnswer chain_id(RpcWorld& world, const Params& /*params*/) { return evm::write_quantity(world.ledger.chain_id()); }
RpcAnswer net_version(RpcWorld& world, const Params& /*params*/) {
    return Json(std::to_string(world.ledger.chain_id()));
}
RpcAnswer always_true(RpcWorld& /*world*/, const Params& /*params*/) { return Json(true); }
RpcAnswer always_false(RpcWorld& /*world*/, const Params& /*params*/) { return Json(false); }

RpcAnswer block_number(RpcWorld& world, const Params& /*params*/) {
    return evm::write_number(world.ledger.head().number());
}

RpcAnswer block_by_number(RpcWorld& world, const Params& params) {
    const auto chosen = params.block(0, world.ledger);
    if (!chosen) return err(chosen.error());
    if (chosen->pending) return pending_block_json(world.ledger, params.flag(1));
    return or_null(chosen->block, world.ledger, params.flag(1));
}

RpcAnswer block_by_hash(RpcWorld& world, const Params& params) {
    const auto hash = params.block_hash(0);
    if (!hash) return err(hash.error());
    return or_null(world.ledger.view().block(*hash), world.ledger, params.flag(1));
}

RpcAnswer count_by_number(RpcWorld& world, const Params& params) {
    const auto chosen = params.block(0, world.ledger);
    if (!chosen) return err(chosen.error());
    if (chosen->pending) return evm::write_quantity(world.ledger.pending().transactions().size());
    return count_or_null(chosen->block);
}

RpcAnswer count_by_hash(RpcWorld& world, const Params& params) {
    const auto hash = params.block_hash(0);
    if (!hash) return err(hash.error());
    return count_or_null(world.ledger.view().block(*hash));
}

// Accepts a number, a tag or a bare hash, as nodes do.
RpcAnswer block_receipts(RpcWorld& world, const Params& params) {
    const auto hash = evm::read_block_hash(params.at(0), "hash");
    const auto chosen = hash ? MethodResult<ChosenBlock>(ChosenBlock{.block = world.ledger.view().block(*hash)})
                             : params.block(0, world.ledger);
    if (!chosen) return err(chosen.error());
    if (chosen->block == nullptr || chosen->pending) return Json(nullptr);
    json::array receipts;
    for (std::size_t i = 0; i < chosen->block->transactions.size(); ++i)
        receipts.push_back(receipt_json({chosen->block->transactions[i], chosen->block, i}));
    return Json(std::move(receipts));
}

// Contracts on this chain emit no logs.
RpcAnswer logs(RpcWorld& /*world*/, const Params& /*params*/) { return Json(json::array{}); }

}  // namespace

RpcMethods block_methods() {
    return {{"web3_clientVersion", client_version},
            {"net_version", net_version},
            {"net_listening", always_true},
            {"eth_chainId", chain_id},
            {"eth_syncing", always_false},
            {"eth_blockNumber", block_number},
            {"eth_getBlockByNumber", block_by_number},
            {"eth_getBlockByHash", block_by_hash},
            {"eth_getBlockTransactionCountByNumber", count_by_number},
            {"eth_getBlockTransactionCountByHash", count_by_hash},
            {"eth_getBlockReceipts", block_receipts},
            {"eth_getLogs", logs}};
}

}  // namespace fencepost::devchain
