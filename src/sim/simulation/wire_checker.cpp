#include "sim/simulation/wire_checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hex.hpp"
#include "domain/transition_table.hpp"
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
    const auto& known = store_.transactions().at(*tx);
    const auto attempt = std::ranges::find(known.attempts, entry.transaction.hash, &Attempt::hash);
    const bool filler = attempt != known.attempts.end() && attempt->kind == AttemptKind::filler;
    // One that was mined all the same, and thrown out by a reorg after it was confirmed, is to be mined again.
    if (known.abandonment != Abandonment::none && !filler && known.position.state != State::confirmed) {
        judge_.blame(world_.now(), "after a cancel only the filler goes out",
                     fmt::format("{} sent the original, at {}", entry.node, known.position), tx);
    }
    const auto submitter = known.submitter;
    const auto lease = at_once(database_.lease_of(submitter));
    if (lease && lease->owner == NodeId(entry.node) && !is_expired(*lease, world_.unix_now())) return;
    judge_.blame(world_.now(), "law 1: only the owner sends",
                 fmt::format("{} sent bytes of {}, and the lease is not its own", entry.node, submitter), tx);
}

}  // namespace fencepost::sim
