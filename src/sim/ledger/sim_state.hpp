// The state of the chain after a block: accounts and contract storage.
#pragma once

#include <map>
#include <utility>

#include "base/bytes.hpp"
#include "base/uint256.hpp"
#include "domain/address.hpp"
#include "domain/ids.hpp"

namespace fencepost::sim {

struct SimAccount {
    Uint256 balance;
    Nonce nonce;
    /// A contract's code executes its transactions (EIP-7702).
    bool is_delegated = false;
};

class SimState {
public:
    [[nodiscard]] SimAccount account(const Address& address) const {
        const auto found = accounts_.find(address);
        return found == accounts_.end() ? SimAccount{} : found->second;
    }
    [[nodiscard]] SimAccount& edit(const Address& address) { return accounts_[address]; }

    [[nodiscard]] Uint256 stored(const Address& contract, const Bytes& key) const {
        const auto found = storage_.find({contract, key});
        return found == storage_.end() ? Uint256{} : found->second;
    }
    void store(const Address& contract, const Bytes& key, const Uint256& value) {
        storage_.insert_or_assign({contract, key}, value);
    }

private:
    // Ordered, so that nothing depends on memory addresses.
    std::map<Address, SimAccount> accounts_;
    std::map<std::pair<Address, Bytes>, Uint256> storage_;
};

}  // namespace fencepost::sim
