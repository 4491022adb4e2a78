// Control methods of development nodes: mining on demand, funding accounts, dropping transactions and reorgs.
#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

RpcAnswer mine(RpcWorld& world, const Params& /*params*/) {
    world.ledger.mine(world.clock.unix_now());
    return Json("0x0");
}

// Switching it on mines the executable pending transactions at once.
RpcAnswer set_automine(RpcWorld& world, const Params& params) {
    const bool* on = params.at(0).if_bool();
    if (on == nullptr) return invalid_params("invalid argument 0: not a boolean");
    world.automine = *on;
    if (*on && !world.ledger.pending().transactions().empty()) world.ledger.mine(world.clock.unix_now());
    return Json(true);
}

RpcAnswer set_balance(RpcWorld& world, const Params& params) {
    const auto account = params.address(0);
    if (!account) return err(account.error());
    const auto wanted = params.quantity(1);
    if (!wanted) return err(wanted.error());
    const auto missing = Uint256::checked_sub(*wanted, world.ledger.head().state->account(*account).balance);
    if (!missing) return err(RpcFailure{RpcCode::server_error, "a balance can only be raised on this chain"});
    world.ledger.fund(*account, *missing);
    return Json(true);
}

RpcAnswer drop_transaction(RpcWorld& world, const Params& params) {
    const auto hash = params.tx_hash(0);
    if (!hash) return err(hash.error());
    if (!world.ledger.evict(*hash)) return Json(nullptr);
    return evm::write_data(hash->view());
}

RpcAnswer reorg(RpcWorld& world, const Params& params) {
    const auto* depth = params.at(0).if_int64();
    if (depth == nullptr || *depth < 0) return invalid_params("invalid argument 0: not a number of blocks");
    const auto done = world.ledger.reorg(static_cast<std::uint64_t>(*depth), world.clock.unix_now());
    if (!done) return err(RpcFailure{RpcCode::server_error, done.error().what});
    return Json(nullptr);
}

}  // namespace

RpcMethods control_methods() {
    return {{"evm_mine", mine},
            {"evm_setAutomine", set_automine},
            {"hardhat_setBalance", set_balance},
            {"anvil_setBalance", set_balance},
            {"hardhat_dropTransaction", drop_transaction},
            {"anvil_dropTransaction", drop_transaction},
            {"anvil_reorg", reorg}};
}

}  // namespace fencepost::devchain
