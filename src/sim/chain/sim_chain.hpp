// The Chain port of one simulated node, over the network's endpoints. It runs on the node: when the node is killed, its
// calls are destroyed where they are suspended, and what it has sent still arrives.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ports/chain.hpp"
#include "sim/chain/sim_follower.hpp"
#include "sim/chain/sim_network.hpp"

namespace fencepost::sim {

class SimSendQueue;

struct SimChainOptions {
    /// Time limits: of a whole call, and of one endpoint's answer to a read.
    Duration time_limit = std::chrono::seconds(10);
    Duration endpoint_time_limit = std::chrono::seconds(3);
    /// An estimate is multiplied by this percentage.
    std::uint64_t gas_margin_percent = 120;
    /// The tip at normal speed; half of it at slow speed, twice as much at fast speed.
    Wei tip{2'000'000'000};
};

class SimChain : public Chain {
public:
    SimChain(SimNode& node, SimNetwork& network, SimChainOptions options = {});

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

private:
    template <typename T>
    using Read = std::function<RpcResult<T>(SimEndpoint&, const SimView&)>;
    using Endpoints = std::vector<SimEndpoint*>;

    /// One endpoint's answer, or the error.
    template <typename T>
    Task<RpcResult<T>> ask(SimEndpoint* endpoint, Evidence evidence, Read<T> read, Instant deadline);
    /// The first answer, in this order, from an endpoint that is high enough.
    template <typename T>
    Task<RpcResult<T>> first_answer(Endpoints endpoints, Read<T> read, BlockNumber at_least = {});
    /// All answers; an error when there is none.
    template <typename T>
    Task<RpcResult<std::vector<T>>> all_answers(Read<T> read, BlockNumber at_least = {});
    /// For each of `count` reads the answer on which enough endpoints agree.
    template <typename T>
    Task<std::vector<RpcResult<T>>> agreed(std::size_t count, Evidence evidence, Read<std::vector<T>> read);

    /// The height that heads() last reported. A lower endpoint may not decide anything.
    [[nodiscard]] BlockNumber reported_height() const;
    [[nodiscard]] Task<Status<RpcError>> send_request(SimEndpoint* endpoint, Duration way, Instant deadline);
    /// Starting with a random endpoint.
    [[nodiscard]] Endpoints shuffled();
    /// The highest head first.
    [[nodiscard]] Endpoints by_height();
    [[nodiscard]] SimSendQueue& queue_to(SimEndpoint& endpoint, const SubmitterId& from);
    [[nodiscard]] Instant deadline() const { return clock_.monotonic() + options_.time_limit; }

    SimNode& node_;
    SimNetwork& network_;
    SimChainOptions options_;
    ChainRef ref_;
    SimClock clock_;
    SeededRandom random_;
    std::shared_ptr<SimFollower> follower_;
    std::map<std::pair<std::string, SubmitterId>, std::shared_ptr<SimSendQueue>> queues_{};
    /// Endpoints that have shown a pending transaction of ours by its hash.
    std::shared_ptr<std::set<std::string>> shows_pool_ = std::make_shared<std::set<std::string>>();
};

}  // namespace fencepost::sim
