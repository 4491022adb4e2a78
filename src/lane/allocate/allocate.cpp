#include "lane/allocate/allocate.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "domain/amount_text.hpp"
#include "lane/broadcast/submit.hpp"
#include "lane/prepare/funds.hpp"
#include "lane/prepare/prepare.hpp"

namespace fencepost::lane {
namespace {

struct SignRequest {
    QueuedIntent queued;
    Ready ready;
    /// Reserved for it before it was built.
    Wei cost;
};

/// Funds for a batch beyond its reserve, in case a builder raises the cost of its transactions.
struct Budget {
    Uint256 spare;
    /// Nothing else is in flight or in the batch: a shortfall now is permanent.
    bool alone = false;
    /// Spending in the policy's window, including this batch. A transaction that is refused because of it is refused
    /// only together with the commit of those before it.
    std::optional<Spending> spent{};
};

UnsignedTransaction draft(const LaneContext& lane, const SignRequest& order, Nonce nonce) {
    return {.from = lane.submitter,
            .nonce = nonce,
            .to = order.queued.intent.to,
            .value = order.queued.intent.value,
            .data = order.queued.intent.data,
            .gas_limit = order.ready.gas_limit,
            .fees = order.ready.fees};
}

SignOutcome read_sign_error(LaneContext& lane, const SignError& error) {
    switch (error.kind) {
        case SignError::Kind::refused:
            return Refused{Refusal::invalid_signature, error.what};
        case SignError::Kind::mismatch:
            lane.world.log.write(Severity::alert, "Signer returned a different transaction; discarded",
                                 {{"submitter", lane.name}, {"why", error.what}});
            return TryAgain{error.what};
        case SignError::Kind::no_key:
        case SignError::Kind::unavailable:
            return TryAgain{error.what};
    }
    FP_UNREACHABLE();
}

Intent intent_of(const UnsignedTransaction& built) {
    return {.to = built.to, .value = built.value, .data = built.data, .gas_limit = built.gas_limit, .fee = built.fees};
}

// Checks the transaction that will be sent, which a builder may have changed. None when it is allowed.
std::optional<SignOutcome> check_spending(const LaneContext& lane, const UnsignedTransaction& built, Budget& budget) {
    if (!lane.options.policy) return std::nullopt;
    const auto intent = intent_of(built);
    if (auto refused = refuse_by_policy(lane.options, intent)) return std::move(*refused);
    if (!budget.spent) return std::nullopt;
    const auto next = spending_of(intent, built.gas_limit, built.fees);
    if (!next) return Refused{Refusal::policy, "its maximum cost does not fit 256 bits"};
    auto allowed = check_window(lane.options.policy->limits, *budget.spent, *next);
    if (!allowed) return Refused{Refusal::policy, std::move(allowed.error().detail)};
    budget.spent = *budget.spent + *next;
    return std::nullopt;
}

// A builder is external code: its result is checked like a caller's request. None when it is valid.
std::optional<SignOutcome> check_built(LaneContext& lane, const SignRequest& order, Nonce nonce,
                                       const UnsignedTransaction& built, Budget& budget) {
    if (built.from != lane.submitter || built.nonce != nonce) {
        lane.world.log.write(Severity::alert, "Builder changed sender or nonce; transaction refused",
                             {{"submitter", lane.name}, {"tx", fmt::format("{}", order.queued.id)}});
        return Refused{Refusal::invalid_input, "the builder changed the sender or the nonce"};
    }
    if (max_fee(built.fees) > lane.options.fee_cap) {
        return Refused{Refusal::invalid_input,
                       fmt::format("the builder offers {}, above the cap of {}", gas_price_text(max_fee(built.fees)),
                                   gas_price_text(lane.options.fee_cap))};
    }
    const auto cost = reserve_for(lane.options, built.fees, built.gas_limit, built.value);
    if (cost && *cost <= order.cost) return check_spending(lane, built, budget);
    if (cost && cost->value() - order.cost.value() <= budget.spare) {
        budget.spare = budget.spare - (cost->value() - order.cost.value());
        return check_spending(lane, built, budget);
    }
    if (cost && !budget.alone)
        return TryAgain{"the account cannot pay for the built transaction besides those in flight"};
    return Refused{Refusal::insufficient_funds, "the account cannot pay for the built transaction"};
}

// Tasks are named before they are awaited: arguments of the awaited expression would stay in the coroutine frame, and
// there is one frame per transaction. The sign order is consumed.
Task<SignOutcome> build_and_sign(LaneContext* context, SignRequest* order, Nonce nonce, Budget* budget) {
    auto& lane = *context;
    auto drafted = draft(lane, *order, nonce);
    auto building = lane.world.builder.build(std::move(order->queued.intent), std::move(drafted));
    auto built = co_await std::move(building);
    if (!built) {
        if (!built.error().permanent) co_return TryAgain{built.error().what};
        co_return Refused{Refusal::invalid_input, built.error().what};
    }
    if (auto wrong = check_built(lane, *order, nonce, *built, *budget)) co_return std::move(*wrong);
    if (lane.connector() != nullptr) co_return claim_of(AttemptKind::original, std::move(*built));
    const auto fees = built->fees;
    const auto gas_limit = built->gas_limit;
    auto signing = lane.world.signer.sign(std::move(*built));
    auto signed_tx = co_await std::move(signing);
    if (!signed_tx) co_return read_sign_error(lane, signed_tx.error());
    co_return Attempt{.kind = AttemptKind::original,
                      .nonce = nonce,
                      .hash = signed_tx->hash,
                      .raw = std::move(signed_tx->raw),
                      .fees = fees,
                      .gas_limit = gas_limit};
}

// None for outcomes without a nonce.
std::optional<Nonce> nonce_of(const SignOutcome& outcome) {
    if (const auto* attempt = std::get_if<Attempt>(&outcome)) return attempt->nonce;
    if (const auto* claim = std::get_if<ClaimedSend>(&outcome)) return claim->nonce;
    return std::nullopt;
}

// Signs in order. A refused transaction passes its nonce to the next one; one that must be retried ends the batch,
// because order is preserved.
Task<void> sign_batch(LaneContext* context, std::vector<SignRequest> orders, Nonce next, Budget budget) {
    auto& lane = *context;
    SignedBatch batch;
    std::optional<Nonce> nonce;
    for (auto& order : orders) {
        const auto id = order.queued.id;
        const auto sequence = order.queued.sequence;
        if (!nonce) {
            const auto taken = co_await lane.nonces.take(next);
            if (!taken && taken.error() == NoNonce::never) co_return lane.inbox.put(TaskFailed{});
            if (!taken) {
                batch.items.push_back({id, sequence, TryAgain{"no nonce is available now"}});
                break;
            }
            nonce = *taken;
            next = std::max(next, Nonce(nonce->next()));
            batch.nonces.push_back(*nonce);
        }
        auto outcome = co_await build_and_sign(&lane, &order, *nonce, &budget);
        const bool stop = std::holds_alternative<TryAgain>(outcome);
        if (nonce_of(outcome)) nonce.reset();
        batch.items.push_back({id, sequence, std::move(outcome)});
        if (stop) break;
    }
    lane.inbox.put(std::move(batch));
}

// None without a policy that limits sums.
std::optional<Spending> spent_in_window(const LaneContext& lane, LaneMemory& memory) {
    if (!limits_window(lane.options.policy)) return std::nullopt;
    return memory.spent.sum(lane.now(), lane.options.policy->limits.window);
}

// No allocation while the account cannot pay for an existing nonce, while an earlier send is unknown, or while
// transactions are read back after a reorg.
bool may_allocate(const LaneContext& lane, const LaneMemory& memory) {
    if (!memory.signing.is_due(lane.now()) || memory.status.status != SubmitterStatus::active) return false;
    return memory.halting.empty() && !memory.blocks.is_reading_back();
}

// Refuses an item because of changes since its preparation.
std::optional<Refused> check_again(const LaneContext& lane, const LaneMemory& memory, const QueueItem& item,
                                   const Wei& taken, const std::optional<Wei>& cost) {
    if (is_expired(lane, item.queued.intent)) return Refused{Refusal::expired, "validUntil has passed"};
    // Only with a balance as recent as the known head.
    const bool certain = !memory.balance_read.running && memory.balance_asked;
    if (certain && affordable(memory, taken, cost) == Affordable::no) {
        return Refused{Refusal::insufficient_funds, "the account cannot pay for it and for a gap filler at its nonce"};
    }
    return std::nullopt;
}

// Stored as the result of its preparation: rejecting is a decision, and decisions are made in a turn.
void store_refusal(LaneContext& lane, QueueItem& item, const Refused& refused) {
    item.stage = QueueItem::Stage::preparing;
    lane.inbox.put(Prepared{item.queued.id, item.queued.sequence, refused});
}

// Returns items that were signed and not used, whose bytes the batch wipes, and items that were not reached.
void put_back(LaneMemory& memory) {
    for (const auto sequence : std::exchange(memory.signing_items, {})) {
        const auto item = memory.queue.find(sequence);
        if (item != memory.queue.end() && item->second.stage == QueueItem::Stage::signing)
            item->second.stage = QueueItem::Stage::ready;
    }
}

// `first` is an attempt, or the claim for a signing connector.
template <typename First>
void allocate(LaneContext& lane, QueueItem& item, First first, Turn& turn) {
    const auto nonce = first.nonce;
    auto& edit = turn.edit(item.queued);
    edit.next.allocate(first);
    edit.update.to = edit.next.position;
    edit.update.nonce = nonce;
    put_on_record(edit, std::move(first));
    edit.update.next_action_in = lane.options.resubmit_interval;
    edit.note(HistoryKind::allocated, fmt::format("nonce {}", nonce));
    turn.send(edit);
}

}  // namespace

void start_sign(LaneContext& lane, LaneMemory& memory) {
    if (!may_allocate(lane, memory)) return;
    std::vector<SignRequest> orders;
    Wei taken(memory.reserve.total());
    const bool none_in_flight = taken.value().is_zero();
    const auto room = memory.room();
    for (auto& [sequence, item] : memory.queue) {
        if (item.stage != QueueItem::Stage::ready || orders.size() == room) break;
        const auto cost = reserve_for(lane.options, item.ready->fees, item.ready->gas_limit, item.queued.intent.value);
        if (const auto refused = check_again(lane, memory, item, taken, cost)) {
            store_refusal(lane, item, *refused);
            break;
        }
        if (affordable(memory, taken, cost) != Affordable::yes) break;
        taken = Wei(taken.value() + cost->value());
        item.stage = QueueItem::Stage::signing;
        memory.signing_items.push_back(sequence);
        orders.push_back({item.queued, *item.ready, *cost});
    }
    if (orders.empty()) return;
    memory.signing.start();
    memory.gap_to_fill.reset();  // another system may have used it by now: one nonce beyond the window per check
    const Budget budget{.spare = memory.balance->value() - taken.value(),
                        .alone = none_in_flight && orders.size() == 1,
                        .spent = spent_in_window(lane, memory)};
    lane.spawn(sign_batch(&lane, std::move(orders), memory.window.next(), budget));
}

void handle_signed(LaneContext& lane, LaneMemory& memory, SignedBatch batch, Turn& turn) {
    memory.signing.running = false;
    auto next = memory.window.next();
    std::vector<Nonce> used;
    used.reserve(batch.nonces.size());
    std::uint64_t given = 0;
    for (auto& item : batch.items) {
        auto* queued = memory.find_queued(item.sequence, item.id);
        // Meanwhile the transaction may have been cancelled, the submitter stopped, or the window filled by a reorg:
        // everything signed behind it has the wrong nonce.
        if (queued == nullptr || memory.status.status != SubmitterStatus::active || turn.stops_submitter()) break;
        if (const auto taken = nonce_of(item.outcome)) {
            const bool fits = memory.window.offer(given) || memory.is_gap_at(*taken);
            if (!fits || turn.has_moved(item.id)) break;
            // With a shared key: another system used it meanwhile, and later ones.
            if (*taken < memory.watch_from) break;
            // Signing may take long, so check again.
            if (is_expired(lane, queued->queued.intent)) {
                reject(lane, *queued, Refused{Refusal::expired, "validUntil has passed"}, turn);
                break;
            }
            if (auto* attempt = std::get_if<Attempt>(&item.outcome)) {
                allocate(lane, *queued, std::move(*attempt), turn);
            } else {
                allocate(lane, *queued, std::get<ClaimedSend>(std::move(item.outcome)), turn);
            }
            used.push_back(*taken);
            next = std::max(next, Nonce(taken->next()));
            ++given;
            memory.signing.failures = 0;
        } else if (const auto* refused = std::get_if<Refused>(&item.outcome)) {
            reject(lane, *queued, *refused, turn);
        } else {
            queued->stage = QueueItem::Stage::ready;
            lane.retry(memory.signing);
        }
    }
    put_back(memory);
    std::ranges::sort(batch.nonces);
    std::ranges::sort(used);
    std::vector<Nonce> unused;
    std::ranges::set_difference(batch.nonces, used, std::back_inserter(unused));
    for (const auto nonce : unused)
        lane.nonces.put_back(nonce, memory, turn);
    if (next != memory.window.next()) turn.move_cursor(memory.window.next(), next);
}

}  // namespace fencepost::lane
