// A node's connection to the simulated database. Every call takes time in both directions; without an answer in time a
// read has failed and a write may have happened. A killed node's calls end with it, but their requests are still
// executed.
#pragma once

#include <functional>

#include "sim/store/sim_database.hpp"

namespace fencepost::sim {

class SimStore final : public Intake,
                       public Leases,
                       public LaneStore,
                       public Commands,
                       public EventLog,
                       public Headers,
                       public Nodes,
                       public Queries,
                       public Backlogs,
                       public RelaxedNonces {
public:
    SimStore(SimNode& process, SimDatabase& database) : process_(process), database_(database) {}

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
    template <typename T>
    using Answer = Task<Result<T, StoreError>>;
    /// What the database does when the call has arrived.
    template <typename T>
    using Work = std::function<Answer<T>(SimDatabase&, CallPtr)>;
    /// A call on SimDatabase::truth() that completes at once.
    template <typename T>
    using StoreCall = std::function<Answer<T>(Store&)>;

    template <typename T>
    Answer<T> ask(Effect effect, Work<T> work);
    template <typename T>
    Answer<T> read(StoreCall<T> store_call);
    template <typename T>
    Answer<T> change(StoreCall<T> store_call);
    Answer<WriteAnswer> write_outside_lane(LeaseClaim claim, SimDatabase::FencedWork work);

    SimNode& process_;
    SimDatabase& database_;
};

}  // namespace fencepost::sim
