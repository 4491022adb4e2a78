#include "lane/prepare/prepare.hpp"

#include <utility>

#include <fmt/format.h>

#include "domain/amount_text.hpp"

namespace fencepost::lane {
namespace {

Task<Result<Fees, Preparation>> price(LaneContext* context, std::variant<Speed, Fees> wish) {
    auto& lane = *context;
    if (const auto* given = std::get_if<Fees>(&wish)) {
        if (max_fee(*given) <= lane.options.fee_cap) co_return *given;
        co_return err(Preparation(Refused{
            Refusal::invalid_input, fmt::format("the fee of {} is above the cap of {}", gas_price_text(max_fee(*given)),
                                                gas_price_text(lane.options.fee_cap))}));
    }
    const auto market = co_await lane.chain().fees(std::get<Speed>(wish));
    if (!market) co_return err(Preparation(TryAgain{market.error().what}));
    co_return clamp(*market, lane.options.fee_cap);
}

Task<Result<Gas, Preparation>> gas_limit(LaneContext* context, Intent intent, bool alone) {
    auto& lane = *context;
    const auto estimate = co_await lane.chain().estimate_gas(
        Call{.from = lane.submitter, .to = intent.to, .value = intent.value, .data = intent.data},
        alone ? At::latest : At::pending);
    if (!estimate) co_return err(Preparation(TryAgain{estimate.error().what}));
    if (const auto* gas = std::get_if<Gas>(&*estimate)) co_return *gas;

    const auto* reverted = std::get_if<Reverted>(&*estimate);
    const auto why = reverted != nullptr ? reverted->reason : std::get<Unaffordable>(*estimate).what;
    if (!alone) co_return err(Preparation(WaitForPredecessors{why}));
    const auto refusal = reverted != nullptr ? Refusal::revert : Refusal::insufficient_funds;
    co_return err(Preparation(Refused{refusal, why}));
}

Task<Preparation> judge(LaneContext* context, Intent intent, bool alone) {
    auto& lane = *context;
    if (is_expired(lane, intent)) co_return Refused{Refusal::expired, "validUntil has passed"};
    if (const auto refused = refuse_by_policy(lane.options, intent)) co_return *refused;
    // Another node may have the key: the transaction does not fail.
    const bool has_key = lane.connector() != nullptr || lane.world.signer.can_sign_for(lane.submitter);
    if (!has_key) co_return TryAgain{"no key for this submitter on this node"};
    const auto fees = co_await price(&lane, intent.fee);
    if (!fees) co_return fees.error();
    // A gas limit from the caller skips the simulation.
    if (!intent.gas_limit) {
        const auto gas = co_await gas_limit(&lane, intent, alone);
        if (!gas) co_return gas.error();
        intent.gas_limit = *gas;
    }
    intent.fee = *fees;
    if (const auto refused = refuse_by_policy(lane.options, intent)) co_return *refused;
    co_return Ready{*intent.gas_limit, *fees};
}

Task<void> prepare(LaneContext* context, TxId id, AcceptSequence sequence, Task<Preparation> judging) {
    context->inbox.put(Prepared{id, sequence, co_await std::move(judging)});
}

BlockNumber head_of(const LaneContext& lane) {
    const auto* head = lane.watch.view().head();
    return head == nullptr ? BlockNumber{} : head->number;
}

// It would be sent with outdated gas and fee, or with a fee that no block accepts any more. A fee set by the caller, or
// at the cap, is not updated; and the market is queried at most once per block.
bool is_outdated(const LaneContext& lane, const QueueItem& item) {
    if (lane.now() - item.prepared_at >= lane.options.price_ttl) return true;
    const auto base_fee = lane.watch.head_base_fee();
    if (!base_fee || !std::holds_alternative<Speed>(item.queued.intent.fee)) return false;
    const auto offered = max_fee(item.ready->fees);
    return offered < *base_fee && offered < lane.options.fee_cap && item.prepared_as_of < head_of(lane);
}

// Whether no transaction in flight can affect the head of the queue. Also true if it would get a nonce below all of
// them: they wait for that gap to be filled, so it must not wait for them.
bool comes_first(const LaneMemory& memory, const QueueItem& head) {
    if (memory.window.in_flight() == 0) return true;
    return head.stage == QueueItem::Stage::held_back && memory.gap_to_fill &&
           memory.gap_to_fill < memory.window.lowest_in_flight();
}

bool is_due(const LaneContext& lane, const QueueItem& item, bool alone) {
    switch (item.stage) {
        case QueueItem::Stage::waiting:
            return item.not_before <= lane.now();
        case QueueItem::Stage::held_back:
            return alone;
        case QueueItem::Stage::ready:
            return is_outdated(lane, item);
        case QueueItem::Stage::preparing:
        case QueueItem::Stage::signing:
            return false;
    }
    FP_UNREACHABLE();
}

}  // namespace

bool is_expired(const LaneContext& lane, const Intent& intent) {
    if (!intent.valid_until) return false;
    const auto chain_time = lane.watch.head_time();
    return *intent.valid_until < lane.world.clock.unix_now() || (chain_time && *intent.valid_until < *chain_time);
}

std::optional<Refused> refuse_by_policy(const LaneOptions& options, const Intent& intent) {
    if (!options.policy) return std::nullopt;
    auto allowed = check(*options.policy, intent);
    if (allowed) return std::nullopt;
    return Refused{Refusal::policy, std::move(allowed.error().detail)};
}

void start_prepare(LaneContext& lane, LaneMemory& memory) {
    if (memory.status.status != SubmitterStatus::active) return;
    // As far as nonces will be available soon: an early preparation has an outdated price.
    std::uint64_t ahead = memory.room();
    bool is_head = true;
    for (auto& [sequence, item] : memory.queue) {
        if (ahead-- == 0) break;
        const bool alone = std::exchange(is_head, false) && comes_first(memory, item);
        if (is_due(lane, item, alone)) {
            if (item.stage == QueueItem::Stage::held_back) memory.gap_to_fill.reset();  // to be detected again
            item.stage = QueueItem::Stage::preparing;
            item.prepared_at = lane.now();
            item.prepared_as_of = head_of(lane);
            auto judging = judge(&lane, item.queued.intent, alone);
            lane.spawn(prepare(&lane, item.queued.id, sequence, std::move(judging)));
        }
    }
}

void reject(LaneContext& lane, QueueItem& item, const Refused& why, Turn& turn) {
    auto& edit = turn.edit(item.queued);
    if (edit.move(Trigger::reject) != Moved::yes) return;
    const auto reason = fmt::format("{}: {}", name_of(why.refusal), why.reason);
    edit.update.error = reason;
    edit.tell(TxFailed{reason});
    edit.note(HistoryKind::rejected, reason);
    if (why.refusal == Refusal::policy) {
        turn.alert(alert_of(AlertKind::policy, lane.submitter,
                            fmt::format("Transaction {} was rejected: {}", item.queued.id, why.reason)));
    }
    if (lane.options.on_failure == OnFailure::stop) {
        turn.set_status(SubmitterStatus::paused,
                        fmt::format("transaction {} was rejected: {}", item.queued.id, reason));
    }
}

void handle_preparation(LaneContext& lane, LaneMemory& memory, const Prepared& prepared, Turn& turn) {
    auto* item = memory.find_queued(prepared.sequence, prepared.id);
    if (item == nullptr || item->stage != QueueItem::Stage::preparing) return;
    if (const auto* ready = std::get_if<Ready>(&prepared.outcome)) {
        item->stage = QueueItem::Stage::ready;
        item->ready = *ready;
        item->failures = 0;
    } else if (const auto* refused = std::get_if<Refused>(&prepared.outcome)) {
        reject(lane, *item, *refused, turn);
    } else if (std::holds_alternative<WaitForPredecessors>(prepared.outcome)) {
        item->stage = QueueItem::Stage::held_back;
    } else {
        if (item->failures == 0) {
            lane.world.log.write(Severity::warning, "Preparation postponed",
                                 {{"submitter", lane.name},
                                  {"tx", fmt::format("{}", prepared.id)},
                                  {"why", std::get<TryAgain>(prepared.outcome).why}});
        }
        item->stage = QueueItem::Stage::waiting;
        item->not_before = lane.now() + lane.backoff(++item->failures);
        memory.queue_agenda.schedule(item->not_before, prepared.sequence);
    }
}

}  // namespace fencepost::lane
