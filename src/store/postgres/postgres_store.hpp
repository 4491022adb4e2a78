// The store for clusters. Many nodes share one PostgreSQL; the lock on a submitter's lease row, taken first by every
// write, keeps them apart (law 1).
#pragma once

#include <memory>
#include <string>

#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/store/store.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store {

namespace pg {
class Pool;
}

struct PostgresOptions {
    pg::ConnectionOptions connection;
    /// Size of each of three pools: writes, lane openings (which may wait) and API reads. Two more connections serve
    /// renewals and heartbeats, which must not wait. Connections open on first use.
    std::size_t connections = 4;
    /// A takeover blocked for this long by a stalled owner's transaction terminates that owner's session.
    Duration evict_after = std::chrono::seconds(1);
};

class PostgresStore : public Store {
public:
    /// Clock and random must outlive the store. Connects on first use.
    PostgresStore(const Executor& executor, Clock& clock, Random& random, PostgresOptions options);
    ~PostgresStore() override;

    Task<Result<std::vector<AcceptAnswer>, StoreError>> accept(std::vector<NewIntent> batch) override;

    Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node, Duration duration) override;
    Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims,
                                                             Duration duration) override;
    Task<Status<StoreError>> release(std::vector<LeaseClaim> claims) override;

    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override;
    Task<Result<LaneState, StoreError>> load(SubmitterId submitter) override;
    Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) override;
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter, AcceptSequence from,
                                                                      std::size_t limit) override;
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId submitter,
                                                                             Duration window) override;

    Task<Result<CommandSequence, StoreError>> post(Command command) override;
    Task<Result<std::vector<Command>, StoreError>> pending(SubmitterId submitter) override;

    Task<Result<std::vector<LoggedEvent>, StoreError>> read_after(EventPosition position, std::size_t limit) override;

    Task<Status<StoreError>> record(ChainRef chain, std::vector<BlockRef> blocks) override;
    Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef chain, BlockNumber first,
                                                            BlockNumber last) override;
    Task<Status<StoreError>> prune_below(ChainRef chain, BlockNumber number) override;

    Task<Status<StoreError>> heartbeat(NodeId node, std::string address, NodeAbility ability) override;
    Task<Status<StoreError>> leave(NodeId node) override;
    Task<Result<std::vector<NodeInfo>, StoreError>> live(Duration within) override;

    Task<Result<std::optional<TxView>, StoreError>> by_id(TxId id) override;
    Task<Result<std::optional<TxView>, StoreError>> by_request(SubmitterId submitter, RequestId request) override;
    Task<Result<std::optional<TxView>, StoreError>> by_hash(TxHash hash) override;
    Task<Result<std::vector<TxView>, StoreError>> list(TxFilter filter) override;
    Task<Result<std::vector<Attempt>, StoreError>> attempts(TxId id) override;
    Task<Result<std::vector<HistoryEntry>, StoreError>> history(TxId id) override;
    Task<Result<std::vector<BlockRef>, StoreError>> stored_confirmations(TxId id) override;
    Task<Result<SubmitterView, StoreError>> submitter(SubmitterId submitter) override;
    Task<Result<std::optional<NodeId>, StoreError>> owner(SubmitterId submitter) override;
    Task<Result<std::vector<SubmitterId>, StoreError>> submitters(std::string after, std::size_t limit) override;
    Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> unfinished_submitters() override;
    Task<Result<std::vector<SubmitterBacklog>, StoreError>> backlogs(NodeId owner) override;

    Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                  NonceBounds bounds, Duration timeout) override;
    Task<Result<WriteAnswer, StoreError>> mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                         Nonce nonce, TxHash hash) override;
    Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence, LockOwner owner, Nonce nonce,
                                                    TxHash hash) override;
    Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence, LockOwner owner,
                                                          Nonce nonce, std::string reason) override;
    Task<Result<Alignment, StoreError>> align(SubmitterId submitter, Fence fence, Nonce chain_next) override;
    Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) override;
    Task<Result<std::optional<Nonce>, StoreError>> lowest_recyclable(SubmitterId submitter, Nonce from) override;

private:
    /// Adds these transactions to the state.
    Task<Result<LaneState, StoreError>> load_transactions(SubmitterId submitter,
                                                          std::vector<std::optional<Uuid>> wanted, LaneState state);
    /// One statement, or several in one transaction, on any write connection.
    Task<Result<pg::Rows, StoreError>> run(pg::Query query);
    Task<Result<std::vector<pg::Rows>, StoreError>> run(std::vector<pg::Query> queries);
    static Task<Result<std::vector<pg::Rows>, StoreError>> run_on(pg::Pool* pool, std::vector<pg::Query> queries);
    static Task<Result<pg::Rows, StoreError>> run_one_on(pg::Pool* pool, pg::Query query);
    /// On a connection for readers.
    Task<Result<pg::Rows, StoreError>> read(pg::Query query);
    Task<Result<std::vector<pg::Rows>, StoreError>> read(std::vector<pg::Query> queries);
    Task<Result<std::optional<TxView>, StoreError>> find(pg::Query query);
    struct WriteRound;
    struct AcceptRound;
    /// The batch is not copied; it must outlive the task.
    Task<Result<WriteRound, StoreError>> write_round(const std::vector<LaneWrite>* batch);
    Task<Result<AcceptRound, StoreError>> accept_round(std::vector<const NewIntent*> asked);
    Task<Result<std::vector<WriteAnswer>, StoreError>> write_together(std::vector<LaneWrite> batch);
    Task<Result<std::vector<WriteAnswer>, StoreError>> write_one_by_one(std::vector<LaneWrite> batch);
    Task<void> evict_blockers(int blocked_backend);
    /// One fenced statement for one allocation; a missing row is a conflict.
    Task<Result<WriteAnswer, StoreError>> mark_allocation(SubmitterId submitter, Fence fence, pg::Query update);

    Clock& clock_;
    PostgresOptions options_;
    std::unique_ptr<pg::Pool> pool_;
    /// Lane openings may wait for a stalled owner, and must not take connections from renewals, writes and the owner's
    /// eviction.
    std::unique_ptr<pg::Pool> openings_;
    /// API reads may be many and slow, and must not take connections from accepts and writes.
    std::unique_ptr<pg::Pool> readers_;
    /// Renewals and heartbeats must not queue behind reads and writes.
    std::unique_ptr<pg::Pool> priority_;
};

}  // namespace fencepost::store
