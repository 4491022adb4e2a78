#include "sim/ledger/sim_tx.hpp"

#include <algorithm>
#include <concepts>
#include <utility>
#include <variant>

namespace fencepost::sim {
namespace {

template <typename T>
Fees fees_of(const T& transaction) {
    if constexpr (requires { transaction.gas_price; }) {
        return LegacyFee{transaction.gas_price};
    } else {
        return DynamicFee{.max_fee = transaction.max_fee, .max_priority_fee = transaction.max_priority_fee};
    }
}

// As the chain applies them: skips those for another chain or without a valid signature.
std::vector<SimAuthorization> authorizations_of(const codec::SetCodeTransaction& transaction) {
    std::vector<SimAuthorization> valid;
    for (const auto& authorization : transaction.authorizations) {
        const auto authority = codec::authority_of(authorization);
        const bool is_for_this_chain =
            authorization.chain_id == Uint256{} || authorization.chain_id == Uint256(transaction.chain_id);
        if (!authority || !is_for_this_chain) continue;
        valid.push_back({*authority, Nonce(authorization.nonce), authorization.address == Address{}});
    }
    return valid;
}

}  // namespace

Uint256 SimTx::max_cost() const {
    const auto cost = fencepost::max_cost(fees, gas_limit, value);
    return cost ? cost->value() : Uint256::max();
}

std::optional<Uint256> SimTx::tip_at(const Uint256& base_fee) const {
    const auto left = Uint256::checked_sub(max_fee(fees).value(), base_fee);
    if (!left) return std::nullopt;
    return std::min(*left, max_priority_fee(fees).value());
}

SimTxPtr make_sim_tx(const codec::Transaction& transaction, const Address& sender, const TxHash& hash, Bytes raw) {
    auto result = std::make_shared<SimTx>();
    result->hash = hash;
    result->sender = sender;
    result->raw = std::move(raw);
    std::visit(
        [&result](const auto& fields) {
            result->chain_id = fields.chain_id;
            result->nonce = fields.nonce;
            result->to = fields.to;
            result->value = fields.value;
            result->data = fields.data;
            result->gas_limit = fields.gas_limit;
            result->fees = fees_of(fields);
            if constexpr (requires { fields.authorizations; }) result->authorizations = authorizations_of(fields);
        },
        transaction);
    return result;
}

Gas intrinsic_gas(const std::optional<Address>& to, ByteView data) {
    const auto zeros = static_cast<std::uint64_t>(std::ranges::count(data, 0));
    const std::uint64_t base = to ? 21'000 : 53'000;
    return Gas(base + 4 * zeros + 16 * (data.size() - zeros));
}

Gas intrinsic_gas(const SimTx& transaction) {
    constexpr std::uint64_t per_authorization = 25'000;
    const auto plain = intrinsic_gas(transaction.to, transaction.data);
    return Gas(plain.value() + per_authorization * transaction.authorizations.size());
}

const WireTx& TxCache::decode(const Bytes& raw) {
    const TxHash hash = codec::hash_of(raw);
    const auto known = by_hash_.find(hash);
    if (known != by_hash_.end()) return known->second;
    const auto decoded = codec::decode(raw);
    if (decoded) {
        know(make_sim_tx(decoded->transaction, decoded->sender, hash, raw));
    } else {
        by_hash_.emplace(hash,
                         WireTx{.hash = hash, .raw = std::make_shared<Bytes>(raw), .decoded = err(decoded.error())});
    }
    return by_hash_.at(hash);
}

void TxCache::know(const SimTxPtr& transaction) {
    by_hash_.try_emplace(transaction->hash, WireTx{.hash = transaction->hash,
                                                   .raw = std::shared_ptr<const Bytes>(transaction, &transaction->raw),
                                                   .decoded = transaction});
}

}  // namespace fencepost::sim
