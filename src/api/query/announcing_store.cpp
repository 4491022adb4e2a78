#include "api/query/announcing_store.hpp"

#include <iterator>
#include <utility>

#include "domain/tx/transaction_state.hpp"

namespace fencepost::api {
namespace {

using Changes = std::vector<TxChange>;

Changes changes_in(const LaneWrite& write) {
    Changes changes;
    for (const auto& update : write.transactions) {
        const TxChange change{.tx = update.tx,
                              .is_mined = std::holds_alternative<Receipt>(update.receipt),
                              .is_settled = is_final(update.to.state) && !is_final(update.expected.state)};
        if (change.is_mined || change.is_settled) changes.push_back(change);
    }
    return changes;
}

}  // namespace

AnnouncingStore::AnnouncingStore(LaneStore& store, Announce announce) : store_(store), announce_(std::move(announce)) {}

Task<Result<std::vector<WriteAnswer>, StoreError>> AnnouncingStore::write(std::vector<LaneWrite> batch) {
    std::vector<Changes> asked;
    asked.reserve(batch.size());
    for (const auto& write : batch)
        asked.push_back(changes_in(write));
    auto answers = co_await store_.write(std::move(batch));
    if (!answers) co_return answers;
    Changes written;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (answers->at(i) == WriteAnswer::applied) std::ranges::move(asked[i], std::back_inserter(written));
    }
    if (!written.empty()) announce_(std::move(written));
    co_return answers;
}

Task<Result<LaneState, StoreError>> AnnouncingStore::load(SubmitterId submitter) {
    return store_.load(std::move(submitter));
}

Task<Result<LaneState, StoreError>> AnnouncingStore::load_block(SubmitterId submitter, SettledBlock block) {
    return store_.load_block(std::move(submitter), block);
}

Task<Result<std::vector<QueuedIntent>, StoreError>> AnnouncingStore::head_of_queue(SubmitterId submitter,
                                                                                   AcceptSequence from,
                                                                                   std::size_t limit) {
    return store_.head_of_queue(std::move(submitter), from, limit);
}

Task<Result<std::vector<RecentAllocation>, StoreError>> AnnouncingStore::allocated_within(SubmitterId submitter,
                                                                                          Duration window) {
    return store_.allocated_within(std::move(submitter), window);
}

}  // namespace fencepost::api
