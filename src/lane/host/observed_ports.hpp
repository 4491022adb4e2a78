// Decorators of the ports that lanes use: they record whether calls succeed, and change nothing else.
#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "lane/host/work_record.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/sending_connector.hpp"
#include "ports/signer.hpp"

namespace fencepost::lane {

class ObservedChain final : public Chain {
public:
    ObservedChain(Chain& chain, Clock& clock) : chain_(chain), clock_(clock) {}

    [[nodiscard]] const ChainRecord& record() const { return record_; }

    [[nodiscard]] const ChainRef& ref() const override { return chain_.ref(); }
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch) override;
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) override;
    [[nodiscard]] std::unique_ptr<HeadStream> heads() override;

    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes,
                                                                                Evidence evidence) override {
        return chain_.receipts(std::move(hashes), evidence);
    }
    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts_in(
        BlockRef block, std::vector<TxHash> hashes) override {
        return chain_.receipts_in(block, std::move(hashes));
    }
    [[nodiscard]] Task<RpcResult<std::optional<Block>>> block(BlockNumber number, Evidence evidence) override {
        return chain_.block(number, evidence);
    }
    [[nodiscard]] Task<RpcResult<std::optional<Block>>> block(BlockHash hash) override { return chain_.block(hash); }
    [[nodiscard]] Task<RpcResult<Nonce>> transaction_count(SubmitterId submitter, At at) override {
        return chain_.transaction_count(std::move(submitter), at);
    }
    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) override {
        return chain_.balance(std::move(submitter), at);
    }
    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> query_pools(SubmitterId submitter,
                                                                     std::vector<PoolQuery> questions) override {
        return chain_.query_pools(std::move(submitter), std::move(questions));
    }
    [[nodiscard]] Task<RpcResult<bool>> is_delegated(SubmitterId submitter) override {
        return chain_.is_delegated(std::move(submitter));
    }
    [[nodiscard]] Task<RpcResult<GasEstimate>> estimate_gas(Call call, At at) override {
        return chain_.estimate_gas(std::move(call), at);
    }
    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed speed) override { return chain_.fees(speed); }
    [[nodiscard]] Task<RpcResult<std::optional<TxLocation>>> find(TxHash hash) override { return chain_.find(hash); }
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> pending_at(SubmitterId submitter, Nonce nonce) override {
        return chain_.pending_at(std::move(submitter), nonce);
    }
    [[nodiscard]] Task<RpcResult<NonceUse>> find_nonce_use(SubmitterId submitter, Nonce nonce) override {
        return chain_.find_nonce_use(std::move(submitter), nonce);
    }
    [[nodiscard]] Task<RpcResult<std::string>> failure_reason(Receipt receipt) override {
        return chain_.failure_reason(std::move(receipt));
    }

private:
    class Heads;
    void record_head(const HeadEvent& event);

    Chain& chain_;
    Clock& clock_;
    ChainRecord record_;
    std::deque<Duration> intervals_;
    std::optional<UnixTime> last_block_time_;
};

/// Records per submitter, because each may have its key elsewhere.
class ObservedSigner final : public Signer {
public:
    using Records = std::map<SubmitterId, CallRecord>;

    ObservedSigner(Signer& signer, Clock& clock, Records& records)
        : signer_(signer),
          clock_(clock),
          records_(records) {}

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override {
        return signer_.can_sign_for(submitter);
    }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    Signer& signer_;
    Clock& clock_;
    Records& records_;
};

class ObservedConnector final : public SendingConnector {
public:
    ObservedConnector(SendingConnector& connector, Clock& clock, ObservedSigner::Records& records)
        : connector_(connector),
          clock_(clock),
          records_(records) {}

    [[nodiscard]] const std::string& name() const override { return connector_.name(); }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override {
        return connector_.sends_for(submitter);
    }
    [[nodiscard]] ConnectorAbilities abilities() const override { return connector_.abilities(); }
    [[nodiscard]] Task<ConnectorAnswer> send(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) override {
        return connector_.hash_of(std::move(transaction));
    }
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) override {
        return connector_.sent_at(std::move(submitter), nonce);
    }
    [[nodiscard]] Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) override {
        return connector_.is_same(hash, std::move(transaction));
    }

private:
    SendingConnector& connector_;
    Clock& clock_;
    ObservedSigner::Records& records_;
};

}  // namespace fencepost::lane
