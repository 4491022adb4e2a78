#include "lane/bump/replace.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "domain/amount_text.hpp"
#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/submit.hpp"

namespace fencepost::lane {
namespace {

using Outcome = std::variant<NotWanted, FeeCapReached, TryAgain, Attempt, ClaimedSend>;

/// Everything needed to build the attempt, so that the lane is not read meanwhile.
struct Order {
    AttemptKind kind = AttemptKind::bump;
    bool asked = false;
    Speed speed = Speed::normal;
    std::optional<Wei> min_tip{};
    Wei cap;
    Intent intent;
    UnsignedTransaction draft;
    BumpRequest question;
};

bool makes_gap_filler(const Tracked& tracked) {
    return tracked.wanted->kind == AttemptKind::filler || needs_gap_filler(tracked.tx);
}

// A gap filler does not depend on what it replaces.
UnsignedTransaction gap_filler_draft(const LaneContext& lane, Nonce nonce) {
    return {.from = lane.submitter,
            .nonce = nonce,
            .to = lane.submitter.evm_address()->to_lower(),
            .value = {},
            .data = {},
            .gas_limit = lane.options.filler_gas,
            .fees = {}};
}

UnsignedTransaction bump_draft(const LaneContext& lane, const Tracked& tracked) {
    return {.from = lane.submitter,
            .nonce = *tracked.tx.nonce,
            .to = tracked.intent.to,
            .value = tracked.intent.value,
            .data = tracked.intent.data,
            .gas_limit = first_gas_limit(tracked.tx),
            .fees = {}};
}

Order order_for(const LaneContext& lane, const Tracked& tracked, std::size_t behind) {
    const bool filler = makes_gap_filler(tracked);
    Order order{.kind = filler ? AttemptKind::filler : AttemptKind::bump,
                .asked = tracked.wanted->asked || tracked.wanted->kind == AttemptKind::filler,
                .min_tip = tracked.wanted->min_tip,
                .cap = filler ? lane.options.filler_fee_cap : lane.options.fee_cap,
                .intent = tracked.intent,
                .draft = filler ? gap_filler_draft(lane, *tracked.tx.nonce) : bump_draft(lane, tracked),
                .question = {.submitter = lane.submitter,
                             .offered = {},
                             .market = {},
                             .age = tracked.facts.first_sent ? lane.now() - *tracked.facts.first_sent : Duration{},
                             .behind = behind,
                             .multiplier = lane.options.bump.multiplier}};
    if (const auto* speed = std::get_if<Speed>(&tracked.intent.fee)) order.speed = *speed;
    if (filler || order.asked) order.speed = Speed::fast;
    order.question.offered = fees_offered(tracked.tx);
    return order;
}

// A proposal below the replacement minimum is raised to it (failures 3 and 32).
Result<Fees, Outcome> price(LaneContext& lane, const Order& order) {
    auto wanted = lane.world.bump_policy.wanted(order.question);
    if (!wanted && !order.asked) return err(Outcome(NotWanted{}));
    if (!wanted) wanted = order.question.market.value_or(order.question.offered.back());
    if (order.min_tip) wanted = raise_tip(*wanted, *order.min_tip);
    const auto fees = bump(order.question.offered, *wanted, order.cap);
    if (!fees) return err(Outcome(FeeCapReached{}));
    return *fees;
}

Task<Outcome> make(LaneContext* context, Order order) {
    auto& lane = *context;
    if (const auto market = co_await lane.chain().fees(order.speed)) order.question.market = *market;
    const auto fees = price(lane, order);
    if (!fees) co_return fees.error();
    order.draft.fees = *fees;
    auto unsigned_tx = order.draft;
    if (order.kind == AttemptKind::bump) {
        // The builder gets the same nonce as the first time, so it builds the same transaction; it may not choose the
        // fees.
        auto built = co_await lane.world.builder.build(order.intent, order.draft);
        if (!built) co_return TryAgain{built.error().what};
        FP_ASSERT(built->from == lane.submitter && built->nonce == order.draft.nonce,
                  "the builder changed the sender or the nonce");
        unsigned_tx = std::move(*built);
        unsigned_tx.fees = *fees;
        unsigned_tx.gas_limit = order.draft.gas_limit;
    }
    if (lane.connector() != nullptr) co_return claim_of(order.kind, std::move(unsigned_tx));
    const auto gas_limit = unsigned_tx.gas_limit;
    auto signed_tx = co_await lane.world.signer.sign(std::move(unsigned_tx));
    if (!signed_tx) co_return TryAgain{signed_tx.error().what};
    co_return Attempt{.kind = order.kind,
                      .nonce = order.draft.nonce,
                      .hash = signed_tx->hash,
                      .raw = std::move(signed_tx->raw),
                      .fees = *fees,
                      .gas_limit = gas_limit};
}

Task<void> replace(LaneContext* context, Order order) {
    auto& lane = *context;
    Replaced replaced;
    replaced.nonce = order.draft.nonce;
    replaced.kind = order.kind;
    replaced.outcome = co_await make(&lane, std::move(order));
    lane.inbox.put(std::move(replaced));
}

void finish(Tracked& tracked, Turn& turn) {
    for (const auto command : tracked.wanted->commands)
        turn.command_done(command);
    tracked.wanted.reset();
    tracked.signing.failures = 0;
}

std::string describe(const Fees& fees) {
    return fmt::format("at most {}, tip {}", gas_price_text(max_fee(fees)), amount_text(max_priority_fee(fees)));
}

// The state never changes, so an event and the history record that the verdict no longer holds (failure 46).
void revoke(LaneContext& lane, const Tracked& tracked, Edit& edit) {
    edit.next.revoke();
    edit.update.abandonment = edit.next.abandonment;
    const auto verdict = edit.next.position.state;
    const auto reason = fmt::format("cancelled after a reorg removed its block, {}", tracked.wanted->asked_by);
    edit.tell(TxVerdictRevoked{verdict, reason});
    edit.note(HistoryKind::cancelled, fmt::format("{} no longer holds: {}", name_of(verdict), reason));
    lane.world.log.write(
        Severity::warning, "Verdict revoked by command",
        {{"submitter", lane.name}, {"tx", fmt::format("{}", edit.next.id)}, {"why", tracked.wanted->asked_by}});
}

// False: not in this turn, or never.
bool apply_replacement(LaneContext& lane, Tracked& tracked, Edit& edit) {
    if (is_settled(tracked.tx)) {
        if (makes_gap_filler(tracked) && !needs_gap_filler(tracked.tx)) revoke(lane, tracked, edit);
        return true;
    }
    if (tracked.wanted->kind != AttemptKind::filler || is_abandoned(tracked.tx)) return claim(edit) == Moved::yes;
    if (edit.move(Trigger::abandon) != Moved::yes) return false;
    edit.next.abandonment = tracked.wanted->why;
    edit.update.abandonment = tracked.wanted->why;
    if (tracked.wanted->why == Abandonment::refused) edit.update.error = tracked.error;
    return true;
}

// `variant` is an attempt, or a claim for a connector.
template <typename Variant>
void record(LaneContext& lane, Tracked& tracked, const Variant& variant, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (!apply_replacement(lane, tracked, edit))
        return;  // the request stays: dropped when it is obsolete, otherwise signed again
    tracked.is_being_recorded = true;
    edit.next.add(variant);
    put_on_record(edit, variant);
    edit.update.next_action_in = lane.options.resubmit_interval;
    const bool filler = variant.kind == AttemptKind::filler;
    edit.note(filler ? HistoryKind::filler : HistoryKind::bumped, describe(variant.fees));
    auto& facts = tracked.facts;
    facts.resends = 0;
    facts.resend_due = lane.now() + lane.options.resubmit_interval;
    facts.bump_due = lane.now() + lane.options.bump.min_interval;
    facts.fee_capped = false;
    facts.with_operator = false;
    facts.stuck_decision.reset();
    turn.send(edit);
    finish(tracked, turn);
}

// The same bytes are still resent: they are mined when prices fall (failure 3).
void handle_fee_cap(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    // A settled transaction keeps its position.
    const bool is_news =
        is_settled(tracked.tx) ? !tracked.facts.fee_capped : edit.next.position.sub != SubState::fee_capped;
    if (is_news && edit.move(Trigger::fee_capped) == Moved::later) return;
    const bool filler = makes_gap_filler(tracked);
    const auto& cap = filler ? lane.options.filler_fee_cap : lane.options.fee_cap;
    if (is_news || !tracked.wanted->commands.empty()) {
        edit.note(filler ? HistoryKind::filler : HistoryKind::bumped,
                  fmt::format("not possible: the minimum fee exceeds the cap of {}", gas_price_text(cap)));
    }
    if (!std::exchange(tracked.facts.fee_capped, true)) {
        turn.alert(alert_of(
            AlertKind::fee_capped, lane.submitter,
            fmt::format("Transaction {} has reached the fee cap; it is resent without a bump", tracked.tx.id)));
    }
    // A claim that may have been sent is looked up, not requested again.
    const bool is_grey = edit.next.position.state == State::unknown_submit_result;
    if (tracked.wanted->asked && !is_grey) turn.send(edit);
    tracked.facts.bump_due = lane.now() + lane.options.bump.min_interval;
    // A bump by the stuck policy is not possible: the transaction is resent unchanged.
    if (tracked.facts.stuck_decision == StuckDecision::bump) tracked.facts.stuck_decision = StuckDecision::wait;
    if (tracked.wanted->kind == AttemptKind::filler && tracked.wanted->commands.empty()) {
        tracked.signing.due = tracked.facts.bump_due;  // no requester to refuse: the reason to abandon the nonce stays
    } else {
        finish(tracked, turn);
    }
}

// Null: it is not obsolete.
const char* obsolete_reason(const Tracked& tracked) {
    if (!tracked.waits_to_be_mined()) return is_mined(tracked.tx) ? "it is mined" : "its nonce is consumed";
    // For a transaction in the grey zone only a gap filler in place of the intent can be recorded. Once it is found,
    // the caller may repeat the command.
    const bool may_be_recorded = tracked.wanted->kind == AttemptKind::filler && !is_abandoned(tracked.tx);
    if (is_in_doubt(tracked.tx) && !may_be_recorded) return "unknown whether it was sent";
    return nullptr;
}

void retry_later(LaneContext& lane, Tracked& tracked, const std::string& why) {
    if (tracked.signing.failures == 0) {
        lane.world.log.write(Severity::warning, "Replacement postponed",
                             {{"submitter", lane.name}, {"tx", fmt::format("{}", tracked.tx.id)}, {"why", why}});
    }
    lane.retry(tracked.signing);
}

}  // namespace

bool may_replace(const LaneMemory& memory, const Tracked& tracked) {
    return tracked.wanted && tracked.waits_to_be_mined() && !tracked.is_busy() && is_verified(memory, tracked);
}

void start_replace(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    for (const auto nonce : nonces) {
        auto& tracked = memory.tracked.at(nonce);
        if (!tracked.is_idle()) continue;  // sent in this wake-up: replaced once that is answered
        tracked.activity = Activity::signing;
        lane.spawn(replace(&lane, order_for(lane, tracked, memory.window.in_flight_below(nonce))));
    }
}

void handle_replaced(LaneContext& lane, LaneMemory& memory, const Replaced& replaced, Turn& turn) {
    auto* found = memory.touch(replaced.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    tracked.activity = Activity::idle;
    // Mined or changed meanwhile: then it is never recorded, and never sent.
    if (!tracked.wanted || !tracked.waits_to_be_mined() || turn.has_new_receipt(tracked.tx)) return;
    const auto kind = makes_gap_filler(tracked) ? AttemptKind::filler : AttemptKind::bump;
    if (replaced.kind != kind) return;
    if (const auto* attempt = std::get_if<Attempt>(&replaced.outcome)) {
        record(lane, tracked, *attempt, turn);
    } else if (const auto* claim = std::get_if<ClaimedSend>(&replaced.outcome)) {
        record(lane, tracked, *claim, turn);
    } else if (std::holds_alternative<FeeCapReached>(replaced.outcome)) {
        handle_fee_cap(lane, tracked, turn);
    } else if (const auto* again = std::get_if<TryAgain>(&replaced.outcome)) {
        retry_later(lane, tracked, again->why);
    } else {
        tracked.facts.bump_due = lane.now() + lane.options.bump.min_interval;
        finish(tracked, turn);
    }
}

void drop_obsolete_request(LaneContext& lane, Tracked& tracked, Turn& turn) {
    if (!tracked.wanted) return;
    const auto* why = obsolete_reason(tracked);
    if (why == nullptr) return;
    if (!tracked.wanted->commands.empty()) {
        turn.edit(tracked.tx).note(HistoryKind::diagnosed, fmt::format("command came too late: {}", why));
        lane.world.log.write(Severity::info, "Command came too late", {{"submitter", lane.name}, {"why", why}});
    }
    finish(tracked, turn);
}

}  // namespace fencepost::lane
