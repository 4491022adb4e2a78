// A signer for simulations: keys from a seed, real signatures, and scripted failures.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "codec/signature.hpp"
#include "ports/signer.hpp"
#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

class SimSigner : public Signer {
public:
    /// With a cache, the chain need not recover the sender of transactions signed here.
    SimSigner(std::uint64_t chain_id, std::uint64_t seed, TxCache* cache = nullptr);

    /// The submitter with this number; the signer holds its key from now on. Deterministic for a seed.
    SubmitterId submitter(std::uint64_t number);

    /// Every signature fails with this error; none: signatures succeed again.
    void fail(std::optional<SignError> error) { error_ = std::move(error); }
    /// Succeeds this many times more and then fails with this error.
    void fail_after(std::size_t signatures, SignError error);

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override { return keys_.contains(submitter); }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;
    /// Without a node, for tests that only need bytes.
    [[nodiscard]] SignedTransaction sign_now(const UnsignedTransaction& transaction);

    [[nodiscard]] std::size_t signatures() const { return signatures_; }

private:
    std::uint64_t chain_id_;
    std::uint64_t seed_;
    TxCache* cache_;
    std::map<SubmitterId, codec::PrivateKey> keys_;
    std::optional<SignError> error_;
    std::optional<std::pair<std::size_t, SignError>> later_;
    std::size_t signatures_ = 0;
};

}  // namespace fencepost::sim
