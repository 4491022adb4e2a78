// A transaction as the simulated chain handles it: decoded once, with the sender recovered once, and then shared by all
// mempools, blocks and checkers. Recovering a sender is the dearest thing a simulation does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "codec/transaction.hpp"
#include "domain/address.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"

namespace fencepost::sim {

/// An account's permission to run code in its name (EIP-7702), as far as its signature is good.
struct SimAuthorization {
    Address authority;
    Nonce nonce;
    /// Takes the permission back.
    bool clears = false;
};

struct SimTx {
    TxHash hash;
    Address sender;
    std::optional<std::uint64_t> chain_id;
    Nonce nonce;
    std::optional<Address> to;
    Wei value;
    Bytes data;
    Gas gas_limit;
    Fees fees;
    Bytes raw;
    std::vector<SimAuthorization> authorizations{};

    /// What the account must hold for it; the highest number when it does not fit 256 bits.
    [[nodiscard]] Uint256 max_cost() const;
    /// What a miner gets of each unit of gas; none when it does not even pay the base fee.
    [[nodiscard]] std::optional<Uint256> tip_at(const Uint256& base_fee) const;
};
using SimTxPtr = std::shared_ptr<const SimTx>;

[[nodiscard]] SimTxPtr make_sim_tx(const codec::Transaction& transaction, const Address& sender, const TxHash& hash,
                                   Bytes raw);

/// The gas that a transaction costs before anything is executed (without the floor of EIP-7623).
[[nodiscard]] Gas intrinsic_gas(const std::optional<Address>& to, ByteView data);
[[nodiscard]] Gas intrinsic_gas(const SimTx& transaction);

/// Bytes as they travel: whoever looks at them twice does not decode them twice.
struct WireTx {
    TxHash hash;
    std::shared_ptr<const Bytes> raw;
    Result<SimTxPtr, ParseError> decoded;
};

class TxCache {
public:
    [[nodiscard]] const WireTx& decode(const Bytes& raw);
    /// For a signer, who knows what the bytes mean. Other bytes have another hash and are not mistaken for these.
    void know(const SimTxPtr& transaction);

private:
    std::unordered_map<TxHash, WireTx> by_hash_;
};

}  // namespace fencepost::sim
