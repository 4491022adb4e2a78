#include "sim/simulation/wire_checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "domain/tx/transition_table.hpp"
#include "sim/store/run_now.hpp"

namespace fencepost::sim {
namespace {

constexpr Duration longest_lease = std::chrono::seconds(10);

// Bytes without a record still reveal which key signed them.
Subject signer_or(const WireTx& bytes, const std::optional<TxId>& tx) {
    if (tx) return *tx;
    if (!bytes.decoded || !(*bytes.decoded)->chain_id) return {};
    return SubmitterId::evm(*(*bytes.decoded)->chain_id, (*bytes.decoded)->sender);
}

}  // namespace

void WireChecker::see(const WireEntry& entry) {
    const auto tx = store_.owner_of(entry.transaction.hash);
    const auto recorded = run_now(database_.truth().by_hash(entry.transaction.hash)).value();
    if (!tx || !recorded) {
        violations_.report(world_.now(), "law 2: on record before a byte leaves",
                           fmt::format("{} sent {}, which is not on record", entry.node,
                                       to_hex_prefixed(entry.transaction.hash.view())),
                           signer_or(entry.transaction, tx));
        return;
    }
    const auto& known = store_.transactions().at(*tx);
    const auto attempt = std::ranges::find(known.attempts, entry.transaction.hash, &Attempt::hash);
    const bool filler = attempt != known.attempts.end() && attempt->kind == AttemptKind::filler;
    // Sending an abandoned transaction is legitimate if it was mined nevertheless, confirmed, and then removed by a
    // reorg.
    if (needs_gap_filler(known.position.state, known.abandonment) && !filler) {
        violations_.report(world_.now(), "after a cancel only the gap filler is sent",
                           fmt::format("{} sent the original, at {}", entry.node, known.position), *tx);
    }
    check_owner(entry.node, known.submitter, *tx);
}

void WireChecker::check_owner(const std::string& node, const SubmitterId& submitter, TxId tx) {
    // A lane measures its lease by its own clock and cannot know at once that the database clock was set forward. What
    // it sends meanwhile is on record (law 2).
    if (database_.clock_was_set_within(longest_lease)) return;
    const auto lease = run_now(database_.lease_of(submitter));
    if (lease && lease->owner == NodeId(node) && !is_expired(*lease, database_.unix_now())) return;
    violations_.report(world_.now(), "law 1: only the owner sends",
                       fmt::format("{} sent a transaction of {}, and it does not hold the lease", node, submitter), tx);
}

void WireChecker::see(const std::string& node, const UnsignedTransaction& asked) {
    const auto& all = store_.transactions();
    const auto holder = store_.holder_of(asked.from, asked.nonce);
    const auto at = holder ? all.find(*holder) : all.end();
    const auto is_asked = [&](const ClaimedSend& claim) {
        return claim.to == asked.to && claim.value == asked.value && claim.data == asked.data &&
               claim.gas_limit == asked.gas_limit && claim.fees == asked.fees;
    };
    const auto claim = at == all.end() ? std::vector<ClaimedSend>::const_iterator{}
                                       : std::ranges::find_if(at->second.claims, is_asked);
    if (at == all.end() || claim == at->second.claims.end()) {
        return violations_.report(
            world_.now(), "law 2: on record before a byte leaves",
            fmt::format("{} asked a connector for nonce {}, which is not on record", node, asked.nonce),
            subject_of(holder, asked.from));
    }
    const auto& [id, known] = *at;
    const bool filler = claim->kind == AttemptKind::filler;
    if (needs_gap_filler(known.position.state, known.abandonment) && !filler) {
        violations_.report(world_.now(), "after a cancel only the gap filler is sent",
                           fmt::format("{} requested the original, at {}", node, known.position), id);
    }
    if (known.position.state == State::unknown_submit_result && !filler) {
        violations_.report(world_.now(), "what may have been sent is looked for, not sent again",
                           fmt::format("{} requested it at {}", node, known.position), id);
    }
    check_owner(node, known.submitter, id);
}

}  // namespace fencepost::sim
