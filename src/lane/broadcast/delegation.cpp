#include "lane/broadcast/delegation.hpp"

#include <algorithm>

namespace fencepost::lane {
namespace {

constexpr Duration delegation_pause = std::chrono::minutes(1);

Task<void> read_delegation(LaneContext* context) {
    auto& lane = *context;
    lane.inbox.put(DelegationRead{co_await lane.chain().is_delegated(lane.submitter)});
}

}  // namespace

void poll_delegation(LaneContext& lane, LaneMemory& memory) {
    auto& pools = memory.pools;
    if (!lane.options.delegated_one_at_a_time) {
        pools.delegation_known = true;
        pools.window.set_delegated(false);
    } else if (!pools.delegation_known || pools.window.is_delegated()) {
        check_delegation(lane, memory);
    }
}

void check_delegation(LaneContext& lane, LaneMemory& memory) {
    if (!lane.options.delegated_one_at_a_time || !memory.pools.delegation.is_due(lane.now())) return;
    memory.pools.delegation.start();
    lane.spawn(read_delegation(&lane));
}

void handle_delegation(LaneContext& lane, LaneMemory& memory, const DelegationRead& read) {
    auto& pools = memory.pools;
    if (!read.is_delegated) return lane.retry(pools.delegation);
    pools.delegation.answered(lane.now() + delegation_pause);
    pools.delegation_known = true;
    if (pools.window.is_delegated() == *read.is_delegated) return;
    pools.window.set_delegated(*read.is_delegated);
    lane.world.log.write(Severity::warning,
                         *read.is_delegated ? "Account is delegated (EIP-7702); sending one transaction at a time"
                                            : "Account is no longer delegated",
                         {{"submitter", lane.name}});
}

Instant next_delegation_check(const LaneMemory& memory) {
    const auto& pools = memory.pools;
    return pools.delegation_known && !pools.window.is_delegated() ? Instant::max() : pools.delegation.next();
}

}  // namespace fencepost::lane
