// Follows one chain for all lanes of a node. Receipts are found by block: the hashes of a new block are matched against
// those the lanes wait for, and the receipts of the matches are fetched in one call. The cost is per block, not per
// pending transaction. Heads do not wait for receipts: a slow call delays only its own block.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/async/async_semaphore.hpp"
#include "base/async/task_group.hpp"
#include "domain/chain/canonical_chain.hpp"
#include "lane/broadcast/pool_shares.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/store/headers.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::lane {

/// Receives chain changes for a lane. Implementations only record them; the lane decides in its own turn.
class ChainListener {
public:
    virtual ~ChainListener() = default;
    /// The view already contains the change.
    virtual void on_head(const HeadChange& change) = 0;
    virtual void on_receipt(const Receipt& receipt) = 0;
    /// It was seen in a block, and its receipt could not be read: query it.
    virtual void on_receipt_missed(const TxHash& hash) = 0;
};

class ChainWatch {
public:
    /// `keep` blocks below the head are kept even when final, because depth is counted over them.
    ChainWatch(const Executor& executor, Chain& chain, Headers& headers, Clock& clock, Telemetry& telemetry, Log& log,
               std::uint64_t keep = 256);

    /// Follows the chain until cancelled. The owner of the watch runs it.
    [[nodiscard]] Task<void> run();

    void listen(ChainListener& listener) { listeners_.push_back(&listener); }
    /// Also removes every hash it waits for.
    void ignore(ChainListener& listener);
    void expect(const TxHash& hash, ChainListener& listener) { expected_[hash] = &listener; }
    void forget(const TxHash& hash) { expected_.erase(hash); }

    [[nodiscard]] const CanonicalChain& view() const { return view_; }
    [[nodiscard]] std::optional<BlockNumber> safe() const { return safe_; }
    [[nodiscard]] std::optional<BlockNumber> finalized() const { return finalized_; }
    /// Below the kept blocks, and final: its hash must be queried, from an endpoint that has our oldest block.
    [[nodiscard]] bool is_final_below_view(BlockNumber number) const;
    /// The timestamp of the head.
    [[nodiscard]] std::optional<UnixTime> head_time() const { return head_time_; }
    /// The block interval, if known.
    [[nodiscard]] std::optional<Duration> block_interval() const { return block_interval_; }
    /// The shares of the lanes in pool capacity.
    [[nodiscard]] PoolShares& shares() { return shares_; }
    /// The base fee of the head; none on a chain without one.
    [[nodiscard]] std::optional<Wei> head_base_fee() const { return head_base_fee_; }
    [[nodiscard]] Chain& chain() { return chain_; }

private:
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    [[nodiscard]] Task<void> follow();
    [[nodiscard]] Task<void> follow_stream();
    /// False when the event does not link to the known blocks: then the watch restarts.
    [[nodiscard]] bool adopt(const HeadEvent& event);
    void note_interval(const HeadEvent& event);
    /// Starts the tasks for a new head. Waits only while too many are running.
    [[nodiscard]] Task<void> process_blocks(HeadEvent event);
    [[nodiscard]] Task<void> fetch_receipts(AsyncSemaphore::Permit turn, BlockRef block, std::vector<TxHash> hashes);
    [[nodiscard]] Task<void> read_receipts(BlockRef block, std::vector<TxHash> hashes, Receipts* answers);
    [[nodiscard]] Task<void> guarded(Task<void> task);
    [[nodiscard]] Task<void> record_headers(AsyncSemaphore::Permit turn, std::vector<BlockRef> headers);
    void report_receipts(const std::vector<TxHash>& hashes, const Receipts& answers);
    [[nodiscard]] bool was_removed(const BlockRef& block) const;

    Chain& chain_;
    Headers& headers_;
    Clock& clock_;
    Telemetry& telemetry_;
    Log& log_;
    std::uint64_t keep_;
    CanonicalChain view_;
    std::optional<BlockNumber> safe_;
    std::optional<BlockNumber> finalized_;
    std::optional<UnixTime> head_time_;
    std::optional<Wei> head_base_fee_;
    std::optional<Duration> block_interval_;
    PoolShares shares_;
    // In order of registration, not by address: a simulated run must be repeatable.
    std::vector<ChainListener*> listeners_;
    std::unordered_map<TxHash, ChainListener*> expected_;
    AsyncSemaphore semaphore_;
    TaskGroup tasks_;
};

}  // namespace fencepost::lane
