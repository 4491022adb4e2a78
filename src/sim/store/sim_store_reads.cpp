// A node's reads. An answer may be outdated by its way back.
#include <utility>

#include "sim/store/sim_store_calls.hpp"

namespace fencepost::sim {

Task<Result<LaneState, StoreError>> SimStore::load(SubmitterId submitter) {
    return read<LaneState>([submitter = std::move(submitter)](Store& truth) { return truth.load(submitter); });
}

Task<Result<LaneState, StoreError>> SimStore::load_block(SubmitterId submitter, SettledBlock block) {
    return read<LaneState>(
        [submitter = std::move(submitter), block](Store& truth) { return truth.load_block(submitter, block); });
}

Task<Result<std::vector<QueuedIntent>, StoreError>> SimStore::head_of_queue(SubmitterId submitter, AcceptSequence from,
                                                                            std::size_t limit) {
    return read<std::vector<QueuedIntent>>([submitter = std::move(submitter), from, limit](Store& truth) {
        return truth.head_of_queue(submitter, from, limit);
    });
}

Task<Result<std::vector<RecentAllocation>, StoreError>> SimStore::allocated_within(SubmitterId submitter,
                                                                                   Duration window) {
    return read<std::vector<RecentAllocation>>(
        [submitter = std::move(submitter), window](Store& truth) { return truth.allocated_within(submitter, window); });
}

Task<Result<std::vector<SubmitterBacklog>, StoreError>> SimStore::backlogs(NodeId owner) {
    return read<std::vector<SubmitterBacklog>>(
        [owner = std::move(owner)](Store& truth) { return truth.backlogs(owner); });
}

Task<Result<std::vector<Command>, StoreError>> SimStore::pending(SubmitterId submitter) {
    return read<std::vector<Command>>(
        [submitter = std::move(submitter)](Store& truth) { return truth.pending(submitter); });
}

Task<Result<std::vector<LoggedEvent>, StoreError>> SimStore::read_after(EventPosition position, std::size_t limit) {
    return read<std::vector<LoggedEvent>>(
        [position, limit](Store& truth) { return truth.read_after(position, limit); });
}

Task<Result<std::vector<BlockRef>, StoreError>> SimStore::between(ChainRef chain, BlockNumber first, BlockNumber last) {
    return read<std::vector<BlockRef>>(
        [chain = std::move(chain), first, last](Store& truth) { return truth.between(chain, first, last); });
}

Task<Result<std::vector<NodeInfo>, StoreError>> SimStore::live(Duration within) {
    return read<std::vector<NodeInfo>>([within](Store& truth) { return truth.live(within); });
}

Task<Result<std::optional<TxView>, StoreError>> SimStore::by_id(TxId id) {
    return read<std::optional<TxView>>([id](Store& truth) { return truth.by_id(id); });
}

Task<Result<std::optional<TxView>, StoreError>> SimStore::by_request(SubmitterId submitter, RequestId request) {
    return read<std::optional<TxView>>([submitter = std::move(submitter), request = std::move(request)](Store& truth) {
        return truth.by_request(submitter, request);
    });
}

Task<Result<std::optional<TxView>, StoreError>> SimStore::by_hash(TxHash hash) {
    return read<std::optional<TxView>>([hash](Store& truth) { return truth.by_hash(hash); });
}

Task<Result<std::vector<TxView>, StoreError>> SimStore::list(TxFilter filter) {
    return read<std::vector<TxView>>([filter = std::move(filter)](Store& truth) { return truth.list(filter); });
}

Task<Result<std::vector<Attempt>, StoreError>> SimStore::attempts(TxId id) {
    return read<std::vector<Attempt>>([id](Store& truth) { return truth.attempts(id); });
}

Task<Result<std::vector<HistoryEntry>, StoreError>> SimStore::history(TxId id) {
    return read<std::vector<HistoryEntry>>([id](Store& truth) { return truth.history(id); });
}

Task<Result<std::vector<BlockRef>, StoreError>> SimStore::stored_confirmations(TxId id) {
    return read<std::vector<BlockRef>>([id](Store& truth) { return truth.stored_confirmations(id); });
}

Task<Result<SubmitterView, StoreError>> SimStore::submitter(SubmitterId submitter) {
    return read<SubmitterView>([submitter = std::move(submitter)](Store& truth) { return truth.submitter(submitter); });
}

Task<Result<std::vector<SubmitterId>, StoreError>> SimStore::submitters(std::string after, std::size_t limit) {
    return read<std::vector<SubmitterId>>(
        [after = std::move(after), limit](Store& truth) { return truth.submitters(after, limit); });
}

Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> SimStore::unfinished_submitters() {
    return read<std::vector<UnfinishedSubmitter>>([](Store& truth) { return truth.unfinished_submitters(); });
}

}  // namespace fencepost::sim
