#include "api/json/diagnosis_json.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/submit/tx_error.hpp"

namespace fencepost::api {
namespace {

// The lowest nonces decide whether a submitter is stuck. The number of requests to endpoints is limited.
constexpr std::size_t most_before_it = 15;

std::string explain_queued(const SubmitterView& submitter) {
    switch (submitter.status.status) {
        case SubmitterStatus::paused:
            return fmt::format("It waits because its submitter is paused: {}", submitter.status.reason);
        case SubmitterStatus::protect:
            return fmt::format("It waits because its submitter is stopped until an operator lifts the protection: {}",
                               submitter.status.reason);
        case SubmitterStatus::active:
            if (!submitter.held)
                return "It waits for a node to take over its submitter. Check that a node with its key is running.";
            return fmt::format("It is queued. Transactions in flight before it: {}.", submitter.in_flight.size());
    }
    FP_UNREACHABLE();
}

// For a settled transaction that a reorg removed.
std::string explain_removed(const TxView& tx) {
    const auto state = name_of(tx.position.state);
    if (tx.abandonment == Abandonment::revoked) {
        return fmt::format(
            "It was {} before a reorg removed its block; an operator cancelled it, and a no-op transaction "
            "at the same nonce is sent until it is mined. It can be sped up or resubmitted.",
            state);
    }
    const bool was_executed = tx.position.state == State::confirmed || tx.abandonment == Abandonment::none;
    return fmt::format(
        "It is {}, and a reorg removed its block: it is sent again until it is mined again. It can be sped "
        "up or resubmitted{}.",
        state, was_executed ? ", or cancelled, which revokes the verdict" : "");
}

// The lowest nonces up to the transaction's own, and the transaction.
std::vector<SubmitterView::InFlight> nonces_to_diagnose(const SubmitterView& submitter, const TxView& tx) {
    std::vector<SubmitterView::InFlight> chosen;
    for (const auto& one : submitter.in_flight) {
        if (one.nonce < *tx.nonce && chosen.size() < most_before_it) chosen.push_back(one);
    }
    chosen.push_back({tx.id, *tx.nonce});
    return chosen;
}

// The lane's rule: it sends the lowest nonces that are not mined, up to the size of the window.
std::optional<QueuedBehind> withheld_behind(const SubmitterView& submitter, const WindowRules& rules, Nonce nonce) {
    const auto window = effective_window(rules, submitter.window, submitter.window_since);
    const auto below =
        std::ranges::count_if(submitter.in_flight, [&](const auto& other) { return other.nonce < nonce; });
    if (std::cmp_less(below, window.state.size)) return std::nullopt;
    return QueuedBehind{static_cast<std::uint64_t>(below), window};
}

// None when no attempt was signed, or when no endpoint answered.
Task<std::optional<SlotFacts>> load_slot_facts(Queries* queries, Chain* chain, SubmitterId submitter,
                                               SubmitterView::InFlight one) {
    const auto attempts = co_await queries->attempts(one.tx);
    if (!attempts || attempts->empty()) co_return std::nullopt;
    SlotFacts slot{.nonce = one.nonce, .ours = {}, .offered = max_fee(attempts->back().fees)};
    bool answered = false;
    for (const auto& attempt : *attempts) {
        slot.ours.push_back(attempt.hash);
        const auto found = co_await chain->find(attempt.hash);
        answered = answered || found.has_value();
        if (!found || !*found) continue;
        slot.is_known = true;
        if ((*found)->block_number) slot.in_block = (*found)->block_number;
    }
    // Not every endpoint exposes its pool.
    const auto waiting = co_await chain->pending_at(std::move(submitter), one.nonce);
    if (waiting) slot.in_pool = *waiting;
    co_return answered ? std::optional(std::move(slot)) : std::nullopt;
}

}  // namespace

std::string explain_from_record(const TxView& tx, const SubmitterView& submitter) {
    if (is_removed(tx.position)) return explain_removed(tx);
    if (tx.abandonment == Abandonment::revoked) {
        return fmt::format(
            "It was {} before a reorg removed its block; an operator then cancelled it, and the verdict "
            "no longer holds. Its receipt says what was mined instead.",
            name_of(tx.position.state));
    }
    if (const auto error = error_of(tx); error && is_final(tx.position.state)) {
        return fmt::format("Its state {} is final: {}", name_of(tx.position.state),
                           error->detail.empty() ? error->code : error->detail);
    }
    if (tx.position.state == State::confirmed) return "It is executed and confirmed.";
    if (tx.position.state == State::queued) return explain_queued(submitter);
    if (tx.position.sub == SubState::nonce_taken) {
        return "An external transaction used its nonce. Once that one is final, this one fails and can be requeued.";
    }
    if (tx.receipt) return fmt::format("It is in block {} and waits for confirmations.", tx.receipt->block_number);
    return fmt::format("It is {}.", name_of(tx.position.state));
}

std::optional<QueuedBehind> queued_behind_window(const TxView& tx, const SubmitterView& submitter,
                                                 const WindowRules& rules) {
    if (tx.position.state != State::queued || submitter.status.status != SubmitterStatus::active || !submitter.held) {
        return std::nullopt;
    }
    const auto window = effective_window(rules, submitter.window, submitter.window_since);
    if (submitter.in_flight.size() < window.state.size) return std::nullopt;
    return QueuedBehind{submitter.in_flight.size(), window};
}

Task<Result<Diagnosis, std::string>> diagnose_in_flight(Queries* queries, const ServedChain* served, TxView tx,
                                                        SubmitterView submitter, WindowRules rules) {
    auto& chain = served->chain;
    const auto count = co_await chain.transaction_count(tx.submitter, At::latest);
    if (!count) co_return err(fmt::format("No endpoint of the chain answers: {}", count.error().what));
    std::vector<SlotFacts> slots;
    for (const auto& one : nonces_to_diagnose(submitter, tx)) {
        auto slot = co_await load_slot_facts(queries, &chain, tx.submitter, one);
        // Without facts about a nonce, nothing can be said about it, nor whether others wait for it.
        if (!slot) continue;
        slot->withheld = withheld_behind(submitter, rules, one.nonce);
        slots.push_back(*std::move(slot));
    }
    if (slots.empty() || slots.back().nonce != *tx.nonce) {
        co_return err(std::string("No signed attempt of it is on record, or no endpoint of the chain answered."));
    }
    const auto head = served->head();
    co_return diagnose(slots, *count, head ? head->base_fee : std::nullopt).back();
}

}  // namespace fencepost::api
