// A transaction of the simulated chain: decoded once, its sender recovered once, and then shared by all mempools,
// blocks and checkers. Recovering a sender is the most expensive operation of a simulation.
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

/// An account's authorization to run code in its name (EIP-7702), with a valid signature.
struct SimAuthorization {
    Address authority;
    Nonce nonce;
    /// Revokes the authorization.
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

    /// The balance it requires; the maximum value when it does not fit 256 bits.
    [[nodiscard]] Uint256 max_cost() const;
    /// The miner's tip per gas; none when it does not even pay the base fee.
    [[nodiscard]] std::optional<Uint256> tip_at(const Uint256& base_fee) const;
};
using SimTxPtr = std::shared_ptr<const SimTx>;

[[nodiscard]] SimTxPtr make_sim_tx(const codec::Transaction& transaction, const Address& sender, const TxHash& hash,
                                   Bytes raw);

/// The gas a transaction costs before execution (without the floor of EIP-7623).
[[nodiscard]] Gas intrinsic_gas(const std::optional<Address>& to, ByteView data);
[[nodiscard]] Gas intrinsic_gas(const SimTx& transaction);

/// Bytes on the wire, with their cached decoding.
struct WireTx {
    TxHash hash;
    std::shared_ptr<const Bytes> raw;
    Result<SimTxPtr, ParseError> decoded;
};

class TxCache {
public:
    [[nodiscard]] const WireTx& decode(const Bytes& raw);
    /// For a signer, which knows the decoded form. Other bytes have another hash and cannot be confused with these.
    void know(const SimTxPtr& transaction);

private:
    std::unordered_map<TxHash, WireTx> by_hash_;
};

}  // namespace fencepost::sim
