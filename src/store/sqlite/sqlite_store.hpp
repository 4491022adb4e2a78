// The embedded store: one file, one node, no server. It has a single writer, so the write transaction itself closes the
// races for which PostgreSQL needs locks.
#pragma once

#include <memory>
#include <string>

#include "ports/store/store.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"

namespace fencepost::store {

namespace sqlite {
class Engine;
}

class SqliteStore final : public Store {
public:
    /// Opens or creates the file and migrates it to this program's schema. The error is one sentence that says what to
    /// do.
    [[nodiscard]] static Result<std::unique_ptr<SqliteStore>, std::string> open(SqliteOptions options);
    /// Finishes submitted work first; tasks that wait for an answer must still have their executor.
    ~SqliteStore() override;

    Task<Result<std::vector<AcceptAnswer>, StoreError>> accept(std::vector<NewIntent> batch) override;

    Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node, Duration duration) override;
    Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims,
                                                             Duration duration) override;
    Task<Status<StoreError>> release(std::vector<LeaseClaim> claims) override;
    /// Only the row, which the simulator reads before every write: submitter() also counts transactions.
    [[nodiscard]] Task<Result<std::optional<Lease>, StoreError>> lease(SubmitterId submitter);

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
    explicit SqliteStore(std::unique_ptr<sqlite::Engine> engine);

    std::unique_ptr<sqlite::Engine> engine_;
};

}  // namespace fencepost::store
