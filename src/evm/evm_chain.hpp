// An EVM chain behind the Chain port. Combines the endpoint pool with head tracking, fees, gas estimates and diagnosis.
//
//     EvmChain chain(executor, clock, log, telemetry, ChainRef::evm(1),
//                    {.endpoints = {{"a", std::make_unique<HttpJsonRpc>(executor, clock, options)}}});
//     group.spawn(chain.run());
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "evm/diagnosis.hpp"
#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/fees/fee_oracle.hpp"
#include "evm/fees/gas_estimator.hpp"
#include "evm/heads/block_follower.hpp"
#include "evm/nonce_history.hpp"
#include "jsonrpc/subscription.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

struct EvmChainOptions {
    /// As configured or recorded earlier; otherwise the first endpoint's genesis is taken.
    std::optional<BlockHash> genesis{};
    PoolOptions pool{};
    FollowerOptions follower{};
    FeeOptions fees{};
    GasOptions gas{};
    NonceHistoryOptions nonce_history{};
    /// From this many receipts of one block, it may be cheaper to fetch all of the block's at once.
    std::size_t many_receipts = 20;
    /// Pause before a lost newHeads subscription is retried; polling goes on meanwhile.
    Duration resubscribe_pause = std::chrono::seconds(10);
};

/// How to reach a chain.
struct Connections {
    std::vector<NamedRpc> endpoints;
    /// WebSockets that announce new heads; optional.
    std::vector<jsonrpc::SubscriptionOptions> hints{};
};

class EvmChain final : public Chain {
public:
    /// Does not connect yet. `ref` is of the namespace eip155.
    EvmChain(Executor executor, Clock& clock, Log& log, Telemetry& telemetry, ChainRef ref, Connections connections,
             EvmChainOptions options = {});

    /// Background work: follows heads, watches endpoints, awaits late answers to sends. Runs until cancelled. Without
    /// it no heads arrive and nothing is sent.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] const ChainRef& ref() const override { return ref_; }
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch) override;
    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> query_pools(SubmitterId submitter,
                                                                     std::vector<PoolQuery> questions) override;
    [[nodiscard]] Task<RpcResult<bool>> is_delegated(SubmitterId submitter) override;
    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes,
                                                                                Evidence evidence) override;
    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts_in(BlockRef block,
                                                                                   std::vector<TxHash> hashes) override;
    [[nodiscard]] Task<RpcResult<std::optional<Block>>> block(BlockNumber number, Evidence evidence) override;
    [[nodiscard]] Task<RpcResult<std::optional<Block>>> block(BlockHash hash) override;
    [[nodiscard]] Task<RpcResult<Nonce>> transaction_count(SubmitterId submitter, At at) override;
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) override;
    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) override;
    [[nodiscard]] Task<RpcResult<GasEstimate>> estimate_gas(Call call, At at) override;
    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed speed) override;
    [[nodiscard]] std::unique_ptr<HeadStream> heads() override;
    [[nodiscard]] Task<RpcResult<std::optional<TxLocation>>> find(TxHash hash) override;
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> pending_at(SubmitterId submitter, Nonce nonce) override;
    [[nodiscard]] Task<RpcResult<NonceUse>> find_nonce_use(SubmitterId submitter, Nonce nonce) override;
    [[nodiscard]] Task<RpcResult<std::string>> failure_reason(Receipt receipt) override;

    /// For status output, and for recording the genesis that was learnt.
    [[nodiscard]] const EndpointPool& endpoints() const { return pool_; }

private:
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    [[nodiscard]] Task<void> feed_oracle();
    [[nodiscard]] Task<void> watch_head_hints(jsonrpc::SubscriptionOptions options);
    [[nodiscard]] Task<void> subscribe_once(jsonrpc::SubscriptionOptions options);
    [[nodiscard]] Task<void> receive_hints(jsonrpc::Subscription* subscription);
    /// Empty when the method is not worthwhile, not supported, or returns too few receipts.
    [[nodiscard]] Task<std::optional<Receipts>> receipts_of_whole_block(BlockRef block, std::vector<TxHash> hashes);
    [[nodiscard]] Task<RpcResult<std::optional<Block>>> block_of(jsonrpc::Request request, Evidence evidence);
    [[nodiscard]] Evidence at_least_reported_head() const;
    /// FP_ASSERTs that the submitter belongs to this chain.
    [[nodiscard]] Address account_of(const SubmitterId& submitter) const;

    Executor executor_;
    Clock& clock_;
    Log& log_;
    ChainRef ref_;
    EvmChainOptions options_;
    std::vector<jsonrpc::SubscriptionOptions> hints_;
    EndpointPool pool_;
    BlockFollower follower_;
    FeeOracle oracle_;
    GasEstimator gas_;
    Diagnosis diagnosis_;
    NonceHistory nonce_history_;
};

}  // namespace fencepost::evm
