// The predeployed contracts of a development chain. The chain runs no bytecode: these contracts are functions of this
// program, and any other deployed contract gets an address and does nothing.
#pragma once

#include "domain/address.hpp"
#include "sim/ledger/block_builder.hpp"

namespace fencepost::devchain {

/// A token with transfer(address,uint256), which reverts when the balance is too small, balanceOf(address), decimals(),
/// and mint(address,uint256), which everyone may call. Each account starts with 1,000 tokens of 18 decimals.
[[nodiscard]] Address token_contract();
/// Reverts every call with the reason "no".
[[nodiscard]] Address refusing_contract();

[[nodiscard]] sim::Contracts dev_contracts();

}  // namespace fencepost::devchain
