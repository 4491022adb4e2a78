#include "sim/chain/sim_signer.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "codec/from_port.hpp"
#include "codec/sign.hpp"

namespace fencepost::sim {

SimSigner::SimSigner(std::uint64_t chain_id, std::uint64_t seed, TxCache* cache)
    : chain_id_(chain_id),
      seed_(seed),
      cache_(cache) {}

SubmitterId SimSigner::submitter(std::uint64_t number) {
    const auto secret = keccak256(as_bytes(fmt::format("key {} of seed {}", number, seed_)));
    auto key = codec::PrivateKey::from_bytes(secret);
    FP_ASSERT(key, "the hash is not a valid private key");
    auto id = SubmitterId::evm(chain_id_, key->address());
    keys_.try_emplace(id, std::move(*key));
    return id;
}

void SimSigner::fail_after(std::size_t signatures, SignError error) { later_.emplace(signatures, std::move(error)); }

SignedTransaction SimSigner::sign_now(const UnsignedTransaction& transaction) {
    const auto key = keys_.find(transaction.from);
    FP_ASSERT(key != keys_.end(), "no key for {}", transaction.from);
    const auto wanted = codec::to_transaction(transaction);
    auto result = codec::sign(wanted, key->second);
    if (cache_ != nullptr) cache_->know(make_sim_tx(wanted, key->second.address(), result.hash, result.raw));
    ++signatures_;
    return result;
}

Task<Result<SignedTransaction, SignError>> SimSigner::sign(UnsignedTransaction transaction) {
    if (later_ && later_->first-- == 0) error_ = std::exchange(later_, std::nullopt)->second;
    if (error_) co_return err(*error_);
    if (!can_sign_for(transaction.from)) {
        co_return err(SignError{SignError::Kind::no_key, fmt::format("no key for {}", transaction.from)});
    }
    if (auto fits = codec::is_evm_transaction(transaction); !fits) {
        co_return err(SignError{SignError::Kind::refused, fits.error().what});
    }
    co_return sign_now(transaction);
}

}  // namespace fencepost::sim
