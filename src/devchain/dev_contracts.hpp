// What is deployed on a development chain from its beginning. The chain runs no bytecode: what else is deployed gets an
// address and does nothing, and these are functions of this program.
#pragma once

#include "domain/address.hpp"
#include "sim/ledger/block_builder.hpp"

namespace fencepost::devchain {

/// A token: transfer(address,uint256), which reverts when the sender has not enough, balanceOf(address), decimals() and
/// mint(address,uint256) for everybody. Each account begins with 1,000 tokens of 18 decimals.
[[nodiscard]] Address token_contract();
/// Reverts every call with the reason "no".
[[nodiscard]] Address refusing_contract();

[[nodiscard]] sim::Contracts dev_contracts();

}  // namespace fencepost::devchain
