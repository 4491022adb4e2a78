#include "devchain/dev_accounts.hpp"

#include "codec/signature.hpp"

namespace fencepost::devchain {

std::vector<Address> dev_accounts() {
    std::vector<Address> accounts;
    accounts.reserve(dev_account_keys.size());
    for (const auto key : dev_account_keys)
        accounts.push_back(codec::PrivateKey::from_hex(key).value().address());
    return accounts;
}

Uint256 dev_funds() {
    constexpr std::uint64_t gwei = 1'000'000'000;
    return Uint256(10'000) * Uint256(gwei) * Uint256(gwei);
}

}  // namespace fencepost::devchain
