// Applies the mutants that corrupt what a lane writes, or what it reads back.
#include <algorithm>
#include <utility>

#include "sim/simulation/mutated_parts.hpp"

namespace fencepost::sim {
namespace {

// A value that no caller requests.
Wei increased(const Wei& value) { return Wei(value.value() + Uint256(1'000'000)); }

bool corrupts_bumps(Mutant mutant) {
    return mutant == Mutant::bump_below_minimum || mutant == Mutant::bump_keeps_zero_tip ||
           mutant == Mutant::bump_with_other_intent;
}

}  // namespace

// Mistaken reasoning: "we know our own state and need not read it again". Harmless as long as the store compares.
Task<Result<LaneState, StoreError>> MutatedLaneStore::load(SubmitterId submitter) {
    auto state = co_await store_.load(submitter);
    if (!state || !state->next_nonce) co_return state;
    if (mutant_ == Mutant::state_not_compared) {
        const auto old = states_.extract(submitter);
        if (!old.empty()) co_return old.mapped();
        states_.emplace(submitter, *state);
    }
    if (mutant_ == Mutant::cursor_without_compare) {
        const auto known = cursors_.find(submitter);
        if (known != cursors_.end()) state->next_nonce = known->second;
        // Not below the nonces in flight: the lane itself would notice that.
        for (const auto& tx : state->watched)
            state->next_nonce = std::max(*state->next_nonce, Nonce(tx.nonce->value() + 1));
    }
    // Mistaken reasoning: "the database keeps the time for every node". The write appears to be old by the nodes'
    // clocks.
    if (mutant_ == Mutant::database_clock_trusted) {
        for (auto& [tx, sending] : state->sendings)
            if (sending.progress) sending.progress->written_at = {};
    }
    co_return state;
}

Task<Result<LaneState, StoreError>> MutatedLaneStore::load_block(SubmitterId submitter, SettledBlock block) {
    auto state = co_await store_.load_block(std::move(submitter), block);
    if (!state) co_return state;
    for (const auto& tx : state->watched) {
        nonces_.insert_or_assign(tx.id, *tx.nonce);
        if (!tx.attempts.empty()) offered_.insert_or_assign(tx.id, tx.attempts.back().fees);
    }
    co_return state;
}

Task<Result<std::vector<WriteAnswer>, StoreError>> MutatedLaneStore::write(std::vector<LaneWrite> batch) {
    std::vector<LaneWrite> hasty;
    for (auto& write : batch) {
        if (write.cursor) cursors_.insert_or_assign(write.submitter, write.cursor->next);
        corrupt(write);
        for (const auto& update : write.transactions) {
            if (update.nonce) nonces_.insert_or_assign(update.tx, *update.nonce);
            for (const auto& attempt : update.attempts)
                if (attempt.kind == AttemptKind::filler) fillers_.emplace(attempt.hash, update.tx);
        }
        if (auto second = premature_write(write)) hasty.push_back(std::move(*second));
    }
    auto answers = co_await store_.write(std::move(batch));
    if (answers && !hasty.empty()) co_await store_.write(std::move(hasty));
    co_return answers;
}

void MutatedLaneStore::corrupt(LaneWrite& write) {
    // Mistaken reasoning: "one spare nonce does no harm".
    const bool moves_on = write.cursor && write.cursor->expected;
    if (mutant_ == Mutant::nonce_skipped && moves_on && ++cursor_moves_ % 5 == 0)
        write.cursor->next = write.cursor->next.next();
    for (auto& update : write.transactions)
        corrupt(update);
}

void MutatedLaneStore::corrupt(TxUpdate& update) {
    for (auto& attempt : update.attempts) {
        const auto before = offered_.find(update.tx);
        const bool is_bump = attempt.kind == AttemptKind::bump && before != offered_.end();
        if (is_bump && corrupts_bumps(mutant_)) corrupt_bump(attempt, before->second);
        offered_.insert_or_assign(update.tx, attempt.fees);
    }
    for (auto& claim : update.claims) {
        if (mutant_ == Mutant::connector_sends_other_intent) claim.value = increased(claim.value);
    }
    // Mistaken reasoning: "it is in memory, and a lane is opened only once".
    if (mutant_ == Mutant::progress_not_stored) update.progress.reset();
    // Mistaken reasoning: "it was mined, so it succeeded".
    auto* receipt = std::get_if<Receipt>(&update.receipt);
    if (mutant_ == Mutant::mined_assumed_successful && receipt != nullptr) receipt->succeeded = true;
}

void MutatedLaneStore::corrupt_bump(Attempt& attempt, const Fees& offered) {
    auto again = unsigned_of(**network_.ledger().cache().decode(attempt.raw).decoded);
    const auto fee = max_fee(offered).value();
    const auto tip = max_priority_fee(offered).value();
    const auto more = [](const Uint256& value, std::uint64_t part) { return Wei(value + value / Uint256(part)); };
    if (mutant_ == Mutant::bump_below_minimum) {
        again.fees = DynamicFee{more(fee, 20), more(tip, 20)};
    } else if (mutant_ == Mutant::bump_keeps_zero_tip) {
        again.fees = DynamicFee{max_fee(attempt.fees), more(tip, 8)};  // 1.125 × 0 = 0
    } else {
        again.value = increased(again.value);
    }
    auto made = signer_.sign_now(again);
    attempt.fees = again.fees;
    attempt.hash = made.hash;
    attempt.raw = std::move(made.raw);
}

std::optional<LaneWrite> MutatedLaneStore::premature_write(const LaneWrite& write) const {
    for (const auto& update : write.transactions) {
        LaneWrite hasty{.submitter = write.submitter, .fence = write.fence};
        if (const auto verdict = premature_verdict(update)) hasty.transactions.push_back(*verdict);
        if (const auto filler = premature_gap_filler(write.submitter, update)) hasty.transactions.push_back(*filler);
        if (const auto nonce = prematurely_recycled(update)) {
            hasty.nonce_marks.push_back(
                {.nonce = *nonce, .status = AllocationStatus::recyclable, .hash = std::nullopt, .reason = "sent"});
        }
        if (!hasty.transactions.empty() || !hasty.nonce_marks.empty()) return hasty;
    }
    return std::nullopt;
}

std::optional<TxUpdate> MutatedLaneStore::premature_verdict(const TxUpdate& update) const {
    constexpr Position taken{State::stuck, SubState::nonce_taken};
    constexpr Position grey{State::unknown_submit_result, SubState::none};
    const auto* receipt = std::get_if<Receipt>(&update.receipt);
    const bool filled = receipt != nullptr && fillers_.contains(receipt->hash) && !is_final(update.to.state);
    const auto enters = [&](const Position& position) { return update.to == position && update.expected != position; };
    TxUpdate verdict{.tx = update.tx, .expected = update.to};
    if (mutant_ == Mutant::verdict_before_gap_filler_is_final && filled) {
        verdict.to = {State::cancelled, SubState::none};
    } else if (mutant_ == Mutant::requeue_before_external_tx_is_final && enters(taken)) {
        verdict.to = {State::failed_final, SubState::nonce_taken};
        verdict.requeue = "at once";
    } else if (mutant_ == Mutant::shared_nonce_lost_before_final && enters(taken)) {
        verdict.to = {State::failed_final, SubState::nonce_taken};
    } else if (mutant_ == Mutant::connector_unknown_outcome_failed && enters(grey)) {
        verdict.to = {State::failed_final, SubState::timeout};
    } else {
        return std::nullopt;
    }
    verdict.events = {TxFailed{"in haste"}};
    return verdict;
}

// Mistaken reasoning: "its block is gone and its caller has the answer, so an empty transfer may take the nonce".
std::optional<TxUpdate> MutatedLaneStore::premature_gap_filler(const SubmitterId& submitter,
                                                               const TxUpdate& update) const {
    const bool removed = is_removed(update.to) && std::holds_alternative<RollBackReceipt>(update.receipt);
    const auto nonce = nonces_.find(update.tx);
    const auto offered = offered_.find(update.tx);
    if (mutant_ != Mutant::gap_filler_for_settled_tx || !removed || update.to.state != State::confirmed ||
        nonce == nonces_.end() || offered == offered_.end())
        return std::nullopt;
    const auto twice = [](const Wei& price) { return Wei(price.value() * Uint256(2) + Uint256(1)); };
    const DynamicFee fees{twice(max_fee(offered->second)), twice(max_priority_fee(offered->second))};
    auto made = signer_.sign_now({.from = submitter,
                                  .nonce = nonce->second,
                                  .to = submitter.evm_address()->to_lower(),
                                  .value = {},
                                  .data = {},
                                  .gas_limit = Gas(21'000),
                                  .fees = fees});
    TxUpdate filled{.tx = update.tx, .expected = update.to, .to = update.to, .abandonment = Abandonment::revoked};
    filled.attempts.push_back({.kind = AttemptKind::filler,
                               .nonce = nonce->second,
                               .hash = made.hash,
                               .raw = std::move(made.raw),
                               .fees = fees,
                               .gas_limit = Gas(21'000)});
    return filled;
}

// Mistaken reasoning: "an endpoint has it, so we need not keep its nonce".
std::optional<Nonce> MutatedLaneStore::prematurely_recycled(const TxUpdate& update) const {
    const bool is_sent = update.expected.state == State::allocated && update.to.state == State::tracking;
    const auto nonce = nonces_.find(update.tx);
    if (mutant_ != Mutant::shared_nonce_recycled_after_send || !is_sent || nonce == nonces_.end()) return std::nullopt;
    return nonce->second;
}

}  // namespace fencepost::sim
