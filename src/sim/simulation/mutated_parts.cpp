#include "sim/simulation/mutated_parts.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::sim {
namespace {

bool is_unheard(const SendReport& report) {
    return std::ranges::all_of(report.answers,
                               [](const auto& answer) { return answer.outcome == SendOutcome::unknown; });
}

}  // namespace

Task<std::vector<SendReport>> MutatedChain::send(std::vector<Bytes> raws) {
    auto reports = co_await SimChain::send(raws);
    if (mutant_ == Mutant::resend_of_the_original_after_cancel) {
        auto originals = originals_of(raws);
        if (!originals.empty()) co_await SimChain::send(std::move(originals));
    }
    if (mutant_ != Mutant::renonce_on_timeout) co_return reports;
    // "It timed out, so it did not arrive: once more, under a fresh nonce."
    for (std::size_t i = 0; i < raws.size(); ++i) {
        if (!is_unheard(reports[i])) continue;
        std::vector<Bytes> again;
        again.push_back(under_the_next_nonce(raws[i]));
        co_await SimChain::send(std::move(again));
    }
    co_return reports;
}

std::vector<Bytes> MutatedChain::originals_of(const std::vector<Bytes>& raws) {
    std::vector<Bytes> originals;
    for (const auto& raw : raws) {
        const auto& bytes = **network_.ledger().cache().decode(raw).decoded;
        const std::pair slot(bytes.sender, bytes.nonce);
        if (bytes.to != bytes.sender) {
            originals_.insert_or_assign(slot, raw);
        } else if (originals_.contains(slot)) {
            originals.push_back(originals_.at(slot));
        }
    }
    return originals;
}

Bytes MutatedChain::under_the_next_nonce(const Bytes& raw) {
    const auto& bytes = **network_.ledger().cache().decode(raw).decoded;
    const auto chain_id = network_.ledger().options().chain_id;
    return signer_
        .sign_now({.from = SubmitterId::evm(chain_id, bytes.sender),
                   .nonce = Nonce(bytes.nonce.value() + 1),
                   .to = bytes.to ? std::optional(bytes.to->to_lower()) : std::nullopt,
                   .value = bytes.value,
                   .data = bytes.data,
                   .gas_limit = bytes.gas_limit,
                   .fees = bytes.fees})
        .raw;
}

std::unique_ptr<HeadStream> MutatedChain::heads() {
    auto heads = SimChain::heads();
    if (mutant_ == Mutant::roll_back_on_a_laggards_word)
        return std::make_unique<DoubtfulHeads>(node_, std::move(heads));
    return heads;
}

// "The pool is full of them": one more than there are.
Task<RpcResult<AccountCounts>> MutatedChain::counts(SubmitterId submitter) {
    auto counts = co_await SimChain::counts(std::move(submitter));
    if (counts && mutant_ == Mutant::outside_use_imagined) counts->pending = Nonce(counts->pending.value() + 1);
    co_return counts;
}

Task<HeadEvent> DoubtfulHeads::next() {
    if (put_off_) {
        co_await clock_.sleep_for(std::chrono::seconds(1));
        co_return *std::exchange(put_off_, std::nullopt);
    }
    auto event = co_await heads_->next();
    const bool grows = head_ && event.change.common_ancestor == head_->ref && !event.blocks.empty();
    if (!grows || ++told_ % 5 != 0) {
        if (!event.blocks.empty()) head_ = event.blocks.back();
        co_return event;
    }
    auto other = std::make_shared<Block>(*head_);
    other->ref.hash = BlockHash{};
    other->transactions.clear();
    HeadEvent doubt{.change = {.common_ancestor = std::nullopt, .removed = {head_->ref}, .added = {other->ref}},
                    .blocks = {other},
                    .safe = event.safe,
                    .finalized = event.finalized};
    // Never mind which block it stands on: the one below both.
    doubt.change.common_ancestor =
        BlockRef{.number = BlockNumber(head_->ref.number.value() - 1), .hash = head_->ref.parent};
    put_off_ = event;
    put_off_->change.common_ancestor = doubt.change.common_ancestor;
    put_off_->change.removed = {other->ref};
    put_off_->change.added.insert(put_off_->change.added.begin(), head_->ref);
    put_off_->blocks.insert(put_off_->blocks.begin(), head_);
    head_ = put_off_->blocks.back();
    co_return doubt;
}

// "We know our own state, there is no need to read it again." Harmless as long as the store compares.
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
        // At least behind what is in flight: the lane itself would notice that.
        for (const auto& tx : state->watched)
            state->next_nonce = std::max(*state->next_nonce, Nonce(tx.nonce->value() + 1));
    }
    co_return state;
}

Task<Result<std::vector<WriteAnswer>, StoreError>> MutatedLaneStore::write(std::vector<LaneWrite> batch) {
    std::vector<LaneWrite> hasty;
    for (auto& write : batch) {
        if (write.cursor) cursors_.insert_or_assign(write.submitter, write.cursor->next);
        for (auto& update : write.transactions) {
            make_cheap(update);
            for (const auto& attempt : update.attempts)
                if (attempt.kind == AttemptKind::filler) fillers_.emplace(attempt.hash, update.tx);
        }
        if (auto verdict = hasty_verdict(write)) hasty.push_back(std::move(*verdict));
        if (auto requeue = hasty_requeue(write)) hasty.push_back(std::move(*requeue));
    }
    auto answers = co_await store_.write(std::move(batch));
    if (answers && !hasty.empty()) co_await store_.write(std::move(hasty));
    co_return answers;
}

void MutatedLaneStore::make_cheap(TxUpdate& update) {
    for (auto& attempt : update.attempts) {
        const auto before = offered_.find(update.tx);
        const bool is_bump = attempt.kind == AttemptKind::bump && before != offered_.end();
        if (is_bump && (mutant_ == Mutant::bump_of_five_percent || mutant_ == Mutant::bump_of_a_zero_tip)) {
            const auto& old = before->second;
            const auto fee = max_fee(old).value();
            const auto tip = max_priority_fee(old).value();
            const auto more = [](const Uint256& value) { return Wei(value + value / Uint256(20)); };
            // "Nothing times 1.125 is nothing."
            attempt.fees = mutant_ == Mutant::bump_of_five_percent ? Fees(DynamicFee{more(fee), more(tip)})
                                                                   : Fees(DynamicFee{max_fee(attempt.fees), Wei(tip)});
            const auto& bytes = **network_.ledger().cache().decode(attempt.raw).decoded;
            auto again = signer_.sign_now({.from = SubmitterId::evm(*bytes.chain_id, bytes.sender),
                                           .nonce = bytes.nonce,
                                           .to = bytes.to ? std::optional(bytes.to->to_lower()) : std::nullopt,
                                           .value = bytes.value,
                                           .data = bytes.data,
                                           .gas_limit = bytes.gas_limit,
                                           .fees = attempt.fees});
            attempt.hash = again.hash;
            attempt.raw = std::move(again.raw);
        }
        offered_.insert_or_assign(update.tx, attempt.fees);
    }
}

std::optional<LaneWrite> MutatedLaneStore::hasty_verdict(const LaneWrite& write) const {
    if (mutant_ != Mutant::verdict_before_the_filler_is_final) return std::nullopt;
    for (const auto& update : write.transactions) {
        const auto* receipt = std::get_if<Receipt>(&update.receipt);
        if (receipt == nullptr || !fillers_.contains(receipt->hash) || is_final(update.to.state)) continue;
        TxUpdate verdict{.tx = update.tx, .expected = update.to, .to = {State::cancelled, SubState::none}};
        verdict.events = {TxFailed{"cancelled"}};
        return LaneWrite{.submitter = write.submitter, .fence = write.fence, .transactions = {std::move(verdict)}};
    }
    return std::nullopt;
}

std::optional<LaneWrite> MutatedLaneStore::hasty_requeue(const LaneWrite& write) const {
    if (mutant_ != Mutant::requeue_before_the_stranger_is_final) return std::nullopt;
    constexpr Position taken{State::stuck, SubState::nonce_taken};
    const auto update = std::ranges::find(write.transactions, taken, &TxUpdate::to);
    if (update == write.transactions.end() || update->expected == taken) return std::nullopt;
    TxUpdate requeue{.tx = update->tx, .expected = taken, .to = {State::failed_final, SubState::nonce_taken}};
    requeue.requeue = "at once";
    requeue.events = {TxFailed{"its nonce was taken"}};
    return LaneWrite{.submitter = write.submitter, .fence = write.fence, .transactions = {std::move(requeue)}};
}

}  // namespace fencepost::sim
