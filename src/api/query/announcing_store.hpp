// A LaneStore that reports each commit, so that long polling need not query the database. It is only a hint: changes
// written by another node, or commits whose answer was lost, are found by polling.
#pragma once

#include <functional>
#include <vector>

#include "api/query/tx_change.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::api {

class AnnouncingStore final : public LaneStore {
public:
    /// Called on the lanes' executor, never with an empty list.
    using Announce = std::function<void(std::vector<TxChange>)>;

    AnnouncingStore(LaneStore& store, Announce announce);

    [[nodiscard]] Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override;
    [[nodiscard]] Task<Result<LaneState, StoreError>> load(SubmitterId submitter) override;
    [[nodiscard]] Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) override;
    [[nodiscard]] Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter,
                                                                                    AcceptSequence from,
                                                                                    std::size_t limit) override;
    [[nodiscard]] Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId submitter,
                                                                                           Duration window) override;

private:
    LaneStore& store_;
    Announce announce_;
};

}  // namespace fencepost::api
