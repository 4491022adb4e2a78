#include "sim/simulation/mutated_parts.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::sim {
namespace {

bool is_unanswered(const SendReport& report) {
    return std::ranges::all_of(report.answers,
                               [](const auto& answer) { return answer.outcome == SendOutcome::unknown; });
}

}  // namespace

UnsignedTransaction unsigned_of(const SimTx& bytes) {
    return {.from = SubmitterId::evm(*bytes.chain_id, bytes.sender),
            .nonce = bytes.nonce,
            .to = bytes.to ? std::optional(bytes.to->to_lower()) : std::nullopt,
            .value = bytes.value,
            .data = bytes.data,
            .gas_limit = bytes.gas_limit,
            .fees = bytes.fees};
}

Task<std::vector<SendReport>> MutatedChain::send(SendBatch batch) {
    auto reports = co_await SimChain::send(batch);
    if (mutant_ == Mutant::original_resent_after_cancel) {
        auto originals = originals_of(batch);
        if (!originals.items.empty()) co_await SimChain::send(std::move(originals));
    }
    if (mutant_ != Mutant::renonce_on_timeout) co_return reports;
    // Mistaken reasoning: "it timed out, so it did not arrive; send again with a new nonce".
    for (std::size_t i = 0; i < batch.items.size(); ++i) {
        if (!is_unanswered(reports[i])) continue;
        const auto& [nonce, raw] = batch.items[i];
        SendBatch again{.from = batch.from, .items = {{Nonce(nonce.next()), with_next_nonce(raw)}}};
        co_await SimChain::send(std::move(again));
    }
    co_return reports;
}

SendBatch MutatedChain::originals_of(const SendBatch& batch) {
    SendBatch originals{.from = batch.from, .items = {}};
    for (const auto& [nonce, raw] : batch.items) {
        const auto& bytes = **network_.ledger().cache().decode(raw).decoded;
        const std::pair slot(bytes.sender, bytes.nonce);
        if (bytes.to != bytes.sender) {
            originals_.insert_or_assign(slot, raw);
        } else if (originals_.contains(slot)) {
            originals.items.push_back({nonce, originals_.at(slot)});
        }
    }
    return originals;
}

Bytes MutatedChain::with_next_nonce(const Bytes& raw) {
    auto again = unsigned_of(**network_.ledger().cache().decode(raw).decoded);
    again.nonce = again.nonce.next();
    return signer_.sign_now(again).raw;
}

std::unique_ptr<HeadStream> MutatedChain::heads() {
    auto heads = SimChain::heads();
    if (mutant_ == Mutant::rollback_on_lagging_endpoint)
        return std::make_unique<FlappingHeads>(node_, std::move(heads));
    return heads;
}

// Mistaken reasoning: "the pool holds one more of ours". Adds one to the pending count.
Task<RpcResult<AccountCounts>> MutatedChain::counts(SubmitterId submitter) {
    auto counts = co_await SimChain::counts(std::move(submitter));
    if (counts && mutant_ == Mutant::external_use_misdetected) counts->pending = Nonce(counts->pending.value() + 1);
    co_return counts;
}

Task<HeadEvent> FlappingHeads::next() {
    if (deferred_) {
        co_await clock_.sleep_for(std::chrono::seconds(1));
        co_return *std::exchange(deferred_, std::nullopt);
    }
    auto event = co_await heads_->next();
    const bool grows = head_ && event.change.common_ancestor == head_->ref && !event.blocks.empty();
    if (!grows || ++reported_ % 5 != 0) {
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
    // It does not matter which block it builds on: use the one below both.
    doubt.change.common_ancestor =
        BlockRef{.number = BlockNumber(head_->ref.number.value() - 1), .hash = head_->ref.parent};
    deferred_ = event;
    deferred_->change.common_ancestor = doubt.change.common_ancestor;
    deferred_->change.removed = {other->ref};
    deferred_->change.added.insert(deferred_->change.added.begin(), head_->ref);
    deferred_->blocks.insert(deferred_->blocks.begin(), head_);
    head_ = deferred_->blocks.back();
    co_return doubt;
}

}  // namespace fencepost::sim
