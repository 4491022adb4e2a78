// A chain for tests that need one method of it: a test's own chain overrides what it expects to be called, and anything
// else aborts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "ports/chain.hpp"

namespace fencepost::test {

class StubChain : public Chain {
public:
    template <typename T>
    using Answer = Task<RpcResult<T>>;
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    explicit StubChain(ChainRef ref = ChainRef::evm(1)) : ref_(std::move(ref)) {}

    [[nodiscard]] const ChainRef& ref() const override { return ref_; }
    [[nodiscard]] std::unique_ptr<HeadStream> heads() override { FP_UNREACHABLE(); }
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::vector<PoolView>> query_pools(SubmitterId, std::vector<PoolQuery>) override {
        FP_UNREACHABLE();
    }
    [[nodiscard]] Answer<bool> is_delegated(SubmitterId) override { FP_UNREACHABLE(); }
    [[nodiscard]] Task<Receipts> receipts(std::vector<TxHash>, Evidence) override { FP_UNREACHABLE(); }
    [[nodiscard]] Task<Receipts> receipts_in(BlockRef, std::vector<TxHash>) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::optional<Block>> block(BlockNumber, Evidence) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::optional<Block>> block(BlockHash) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<Nonce> transaction_count(SubmitterId, At) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<AccountCounts> counts(SubmitterId) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<Wei> balance(SubmitterId, At) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<GasEstimate> estimate_gas(Call, At) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<Fees> fees(Speed) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::optional<TxLocation>> find(TxHash) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::optional<TxHash>> pending_at(SubmitterId, Nonce) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<NonceUse> find_nonce_use(SubmitterId, Nonce) override { FP_UNREACHABLE(); }
    [[nodiscard]] Answer<std::string> failure_reason(Receipt) override { FP_UNREACHABLE(); }

private:
    ChainRef ref_;
};

}  // namespace fencepost::test
