#include "sim/simulation/store_checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "domain/tx/transition_table.hpp"

namespace fencepost::sim {

StoreChecker::StoreChecker(World& world, const ChainChecker& chain, const lane::LaneOptions& promised,
                           ViolationRecorder& violations)
    : world_(world),
      chain_(chain),
      promised_(promised),
      violations_(violations) {}

void StoreChecker::report(std::string law, std::string what, Subject subject) {
    violations_.report(world_.now(), std::move(law), std::move(what), std::move(subject));
}

std::optional<TxId> StoreChecker::owner_of(const TxHash& hash) const {
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TxId> StoreChecker::holder_of(const SubmitterId& submitter, Nonce nonce) const {
    const auto known = submitters_.find(submitter);
    if (known == submitters_.end()) return std::nullopt;
    const auto found = known->second.nonces.find(nonce);
    return found == known->second.nonces.end() ? std::nullopt : std::optional(found->second);
}

void StoreChecker::see(const DatabaseEvent& event) {
    std::visit([this](const auto& one) { see(one); }, event);
}

void StoreChecker::see(const Accepted& accepted) {
    if (accepted.answer.kind != AcceptKind::accepted) return;
    const auto& intent = accepted.intent;
    transactions_.emplace(intent.id, KnownTx{.submitter = intent.submitter,
                                             .intent = intent.intent,
                                             .events = {std::string(TxAccepted::name)},
                                             .accepted_at = world_.now()});
    if (!intent.request) return;
    const auto [known, is_new] = requests_.try_emplace({intent.submitter, *intent.request}, intent.id);
    if (!is_new) {
        report("a request is one transaction", fmt::format("request {} was accepted twice", intent.request->value()),
               intent.id);
    }
}

void StoreChecker::see(const Opened& opened) {
    if (!opened.answer.fence) return;
    auto& known = submitters_[opened.submitter];
    const auto& fence = *opened.answer.fence;
    if (fence.token <= known.highest_token) {
        report("law 1: every opening raises the token",
               fmt::format("{} opened {} with token {}, and {} had been given out", opened.node, opened.submitter,
                           fence.token, known.highest_token),
               opened.submitter);
    }
    const bool others = opened.lease_before && opened.lease_before->owner != fence.node;
    if (others && !is_expired(*opened.lease_before, opened.executed_at)) {
        report("law 1: only an expired or released lease is taken",
               fmt::format("{} took {} from {}, whose lease had not expired", opened.node, opened.submitter,
                           opened.lease_before->owner.value()),
               opened.submitter);
    }
    known.highest_token = std::max(known.highest_token, fence.token);
    known.opened_at = opened.committed_at;
}

void StoreChecker::see(const Renewed& renewed) {
    if (renewed.result != LeaseResult::renewed) return;
    if (holds(renewed.lease_before, renewed.claim.fence, renewed.executed_at)) return;
    report(
        "law 1: only its owner renews a lease",
        fmt::format("{} renewed {} under token {}", renewed.node, renewed.claim.submitter, renewed.claim.fence.token),
        renewed.claim.submitter);
}

// A release often arrives late: by then another node may own the row, which must then stay unchanged.
void StoreChecker::see(const Released& released) {
    const auto& claim = released.claim;
    if (released.lease_after == release_lease(released.lease_before, claim.fence)) return;
    report("law 1: only its owner releases a lease",
           fmt::format("{} released {} under token {}", released.node, claim.submitter, claim.fence.token),
           claim.submitter);
}

bool StoreChecker::was_protected(const SubmitterId& submitter) const {
    const auto found = submitters_.find(submitter);
    return found != submitters_.end() && found->second.was_protected;
}

void StoreChecker::see(const Committed& committed) {
    if (committed.answer != WriteAnswer::applied) return;
    ++commits_;
    check_fence(committed);
    auto& known = submitters_[committed.write.submitter];
    const auto& status = committed.write.status;
    known.was_protected = known.was_protected || (status && status->status == SubmitterStatus::protect);
    apply_recycled_nonces(committed.write, known);
    check_window(committed.write, known);
    check_cursor(committed.write, known);
    for (const auto& update : committed.write.transactions)
        take(committed.write, update, known);
}

namespace {

// The transaction whose history is shown when a whole write is wrong.
Subject first_of(const LaneWrite& write) {
    return write.transactions.empty() ? Subject(write.submitter) : Subject(write.transactions.front().tx);
}

}  // namespace

void StoreChecker::check_fence(const Committed& committed) {
    const auto& fence = committed.write.fence;
    const auto& known = submitters_[committed.write.submitter];
    const bool fits = holds(committed.lease_before, fence, committed.executed_at) && fence.token == known.highest_token;
    if (fits && committed.asked_at >= known.opened_at) return;
    report("law 1: no write under a stale fence",
           fmt::format("{} wrote for {} under token {}, and the lease belongs to {} under token {}", committed.node,
                       committed.write.submitter, fence.token,
                       committed.lease_before ? committed.lease_before->owner.value() : "no node", known.highest_token),
           first_of(committed.write));
}

// Finalized, and not one of our transactions.
bool StoreChecker::was_used_externally(const SubmitterId& submitter, Nonce nonce) const {
    const auto& ledger = chain_.ledger();
    const auto used = ledger.executed(ledger.head(), *submitter.evm_address(), nonce);
    return used && !owner_of(used->transaction->hash) && chain_.fate_of(used->block->ref().hash).was_finalized;
}

void StoreChecker::check_cursor(const LaneWrite& write, Known& known) {
    std::set<Nonce> nonces;
    for (const auto& update : write.transactions) {
        if (update.nonce) nonces.insert(*update.nonce);
    }
    if (promised_.mode == lane::NonceMode::relaxed) return check_shared_cursor(write, known, nonces);
    if (!write.cursor) {
        if (!nonces.empty())
            report("law 3: the cursor moves with the nonce", "a nonce was given without the cursor", first_of(write));
        return;
    }
    if (write.cursor->expected != known.next) {
        report("law 3: the cursor is compared before it moves",
               fmt::format("{}: the cursor of {} was moved to {} from an outdated value", write.fence.node.value(),
                           write.submitter, write.cursor->next),
               first_of(write));
    }
    // A key that is unprotected may be stopped again by what the same turn learns: then only the stop is visible.
    const bool is_lifted = write.status && write.status->status != SubmitterStatus::paused;
    const auto first = known.next.value_or(write.cursor->next);
    for (auto nonce = first; nonce < write.cursor->next; nonce = Nonce(nonce.value() + 1)) {
        if (is_lifted && was_used_externally(write.submitter, nonce)) continue;
        if (nonces.erase(nonce) == 0) {
            report("law 4: no nonce is left unused",
                   fmt::format("the cursor of {} passed nonce {}, which no transaction got; {} used outside, {}",
                               write.submitter, nonce, was_used_externally(write.submitter, nonce) ? "it was" : "not",
                               write.status ? write.status->reason : "no change of its status"),
                   first_of(write));
        }
    }
    if (!nonces.empty()) {
        report("law 3: a nonce is used once",
               fmt::format("{} got nonce {}, which the cursor had passed", write.submitter, *nonces.begin()),
               first_of(write));
    }
    known.next = write.cursor->next;
}

// The cursor of a shared key is only guaranteed to be above every allocated nonce.
void StoreChecker::check_shared_cursor(const LaneWrite& write, Known& known, const std::set<Nonce>& nonces) {
    if (write.cursor && write.cursor->expected != known.next) {
        report("law 3: the cursor is compared before it moves",
               fmt::format("{}: the cursor of {} was moved to {} from an outdated value", write.fence.node.value(),
                           write.submitter, write.cursor->next),
               first_of(write));
    }
    if (write.cursor) known.next = write.cursor->next;
    if (!nonces.empty() && *nonces.rbegin() >= known.next.value_or(Nonce{})) {
        report("law 3: the cursor moves with the nonce",
               fmt::format("{} got nonce {}, and the cursor stands at {}", write.submitter, *nonces.rbegin(),
                           known.next.value_or(Nonce{})),
               first_of(write));
    }
}

// The previous holder must fail in the same write, and must never have been sent.
void StoreChecker::apply_recycled_nonces(const LaneWrite& write, Known& known) {
    for (const auto& mark : write.nonce_marks) {
        if (mark.status != AllocationStatus::recyclable) continue;
        const auto had = known.nonces.extract(mark.nonce);
        if (!had) continue;
        const auto failed = std::ranges::find(write.transactions, had.mapped(), &TxUpdate::tx);
        if (failed != write.transactions.end() && failed->to.state == State::failed_final &&
            failed->expected.state == State::allocated)
            continue;
        report("law 3: only a transaction that certainly failed returns its nonce",
               fmt::format("nonce {} of {}", mark.nonce, write.submitter), had.mapped());
    }
}

// Only when a write allocates: a reorg may bring back more than the window holds. A transaction that fills a gap below
// others may exceed the window, because the others wait for it.
void StoreChecker::check_window(const LaneWrite& write, const Known& known) {
    std::int64_t waiting = 0;
    std::optional<Nonce> highest;
    for (const auto& [nonce, id] : known.nonces) {
        const auto& tx = transactions_.at(id);
        if (tx.receipt || !holds_unconsumed_nonce(tx.position)) continue;
        ++waiting;
        highest = nonce;
    }
    const auto fresh = std::ranges::count_if(
        write.transactions, [&](const auto& update) { return update.nonce && !(update.nonce < highest); });
    if (fresh == 0 || fresh + waiting <= promised_.window.ceiling) return;
    report("a window holds what it says",
           fmt::format("{} gets {} nonces, has {} in flight, and the window is {}", write.submitter, fresh, waiting,
                       promised_.window.ceiling),
           first_of(write));
}

}  // namespace fencepost::sim
