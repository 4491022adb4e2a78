#include "lane/commands/unprotect_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "domain/tx/transition_table.hpp"
#include "lane/track/external_use.hpp"

namespace fencepost::lane {
namespace {

using Objection = std::optional<std::string>;

// Endpoints without an answer may know more. A majority is sufficient: a lane that opens compares again, and so does
// the reconciler, and a nonce that proves to be taken stops the key again.
Objection too_few(const AccountCounts& counts) {
    if (2 * counts.answered > counts.endpoints) return std::nullopt;
    return fmt::format("only {} of {} endpoints answered", counts.answered, counts.endpoints);
}

Objection external_use(const StoppedSubmitter& stopped, const AccountStanding& chain) {
    const auto& counts = chain.counts;
    const auto cursor = stopped.cursor.value_or(counts.latest);
    const auto known = std::max(cursor, counts.latest);
    if (counts.pending > known) {
        return fmt::format("nonces {} to {} are used by external transactions in flight; wait until they are mined",
                           known, counts.pending.value() - 1);
    }
    // For a new submitter, earlier external use of nonces is no loss.
    if (counts.latest > cursor && chain.finalized < counts.latest) {
        return fmt::format("nonces {} to {} were used by external transactions that are not final yet", cursor,
                           counts.latest.value() - 1);
    }
    return std::nullopt;
}

// A reorg may free it, and then our bytes are mined (failure 29).
Objection uncertain_nonce(const NonceHolder& holder, const AccountStanding& chain) {
    if (holder.is_mined || holder.nonce < chain.finalized) return std::nullopt;
    if (holder.position.sub == SubState::nonce_taken) {
        return fmt::format("nonce {} was used by an external transaction that is not final yet", holder.nonce);
    }
    if (holder.nonce >= chain.counts.latest) return std::nullopt;
    return fmt::format("nonce {} is consumed by an unknown transaction", holder.nonce);
}

Objection refusal_of(const StoppedSubmitter& stopped, const AccountStanding& chain) {
    if (stopped.status != SubmitterStatus::protect) return "the submitter is not stopped";
    if (auto why = too_few(chain.counts)) return why;
    if (is_wrong_chain(chain.counts, stopped.watch_from)) return describe_wrong_chain(chain.counts, stopped.watch_from);
    if (stopped.is_shared) return std::nullopt;
    if (auto why = external_use(stopped, chain)) return why;
    for (const auto& holder : stopped.holders)
        if (auto why = uncertain_nonce(holder, chain)) return why;
    return std::nullopt;
}

AfterUnprotect outcome_of(const NonceHolder& holder) {
    if (holder.is_mined) return AfterUnprotect::mined;
    return holder.position.sub == SubState::nonce_taken ? AfterUnprotect::fails : AfterUnprotect::kept;
}

}  // namespace

StoppedSubmitter stopped_submitter(const LaneState& state, const std::vector<QueuedIntent>& queue) {
    StoppedSubmitter stopped{.status = state.status.status, .cursor = state.next_nonce, .watch_from = state.watch_from};
    for (const auto& tx : state.watched)
        stopped.holders.push_back({tx.id, *tx.nonce, tx.position, tx.receipt.has_value()});
    stopped.watches_settled = !state.settled.empty();
    for (const auto& item : queue)
        stopped.queued.push_back(item.id);
    return stopped;
}

UnprotectPlan plan_unprotect(const StoppedSubmitter& stopped, const AccountStanding& chain) {
    UnprotectPlan plan{.refusal = refusal_of(stopped, chain)};
    plan.cursor = stopped.cursor.value_or(Nonce{});
    if (!stopped.is_shared) plan.cursor = std::max(plan.cursor, chain.counts.latest);
    const bool watches = !stopped.holders.empty() || stopped.watches_settled;
    plan.moves_watch = stopped.cursor && !stopped.is_shared && !watches && plan.cursor > stopped.watch_from;
    for (const auto& holder : stopped.holders) {
        // Its verdict stands, and only its block is still watched.
        if (is_final(holder.position.state) && holder.position.sub != SubState::forked) continue;
        plan.steps.push_back({holder.tx, holder.nonce, outcome_of(holder)});
    }
    for (const auto& tx : stopped.queued)
        plan.steps.push_back({tx, std::nullopt, AfterUnprotect::stays_queued});
    return plan;
}

}  // namespace fencepost::lane
