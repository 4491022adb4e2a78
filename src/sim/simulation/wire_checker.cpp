#include "sim/simulation/wire_checker.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"
#include "sim/store/at_once.hpp"

namespace fencepost::sim {

void WireChecker::see(const WireEntry& entry) {
    const auto tx = store_.owner_of(entry.transaction.hash);
    const auto recorded = at_once(database_.truth().by_hash(entry.transaction.hash)).value();
    if (!tx || !recorded) {
        judge_.blame(world_.now(), "law 2: on record before a byte leaves",
                     fmt::format("{} sent {}, which is not on record", entry.node,
                                 to_hex_prefixed(entry.transaction.hash.view())),
                     tx);
        return;
    }
    const auto submitter = store_.transactions().at(*tx).submitter;
    const auto lease = at_once(database_.truth().submitter(submitter)).value().lease;
    if (lease && lease->owner == NodeId(entry.node) && !is_expired(*lease, world_.unix_now())) return;
    judge_.blame(world_.now(), "law 1: only the owner sends",
                 fmt::format("{} sent bytes of {}, and the lease is not its own", entry.node, submitter), tx);
}

}  // namespace fencepost::sim
