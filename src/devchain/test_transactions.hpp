// For tests: transactions signed by the development accounts.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "codec/sign.hpp"
#include "devchain/dev_accounts.hpp"
#include "devchain/dev_ledger.hpp"

namespace fencepost::devchain::test {

inline constexpr UnixTime begin{std::chrono::seconds(1'700'000'000)};
inline constexpr Genesis genesis{.chain_id = 31'337, .at = begin};

/// A transfer of 1 wei from the first account; a test overrides the fields that matter to it.
struct TxFields {
    std::uint64_t nonce = 0;
    std::optional<Address> to = Address{{{0xee}}};
    std::uint64_t value = 1;
    Bytes data{};
    std::uint64_t gas = 100'000;
    std::uint64_t max_fee = 10'000'000'000;
    std::uint64_t chain_id = 31'337;
};

inline Bytes raw(const TxFields& fields) {
    const codec::DynamicFeeTransaction transaction{.chain_id = fields.chain_id,
                                                   .nonce = Nonce(fields.nonce),
                                                   .max_priority_fee = Wei(1'000'000'000),
                                                   .max_fee = Wei(fields.max_fee),
                                                   .gas_limit = Gas(fields.gas),
                                                   .to = fields.to,
                                                   .value = Wei(fields.value),
                                                   .data = fields.data,
                                                   .access_list = {}};
    return codec::sign(codec::Transaction(transaction), codec::PrivateKey::from_hex(dev_account_keys[0]).value()).raw;
}

/// Funds the development accounts.
inline void fund_all(DevLedger& ledger) {
    for (const auto& account : dev_accounts())
        ledger.fund(account, dev_funds());
}

}  // namespace fencepost::devchain::test
