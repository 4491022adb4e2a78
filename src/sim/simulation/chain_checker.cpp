#include "sim/simulation/chain_checker.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace fencepost::sim {
namespace {

// Deeper than anything a lane waits for.
constexpr std::uint64_t deep = 64;

}  // namespace

ChainChecker::ChainChecker(World& world, const SimLedger& ledger, Judge& judge)
    : world_(world),
      ledger_(ledger),
      judge_(judge),
      head_(&ledger.head()) {}

BlockFate ChainChecker::fate_of(const BlockHash& hash) const {
    const auto found = fates_.find(hash);
    return found == fates_.end() ? BlockFate{} : found->second;
}

void ChainChecker::look() {
    const auto* next = &ledger_.head();
    // Down to the fork, then up the new branch.
    while (ledger_.ancestor(*next, head_->number()) != head_) {
        remove(*head_);
        head_ = head_->parent;
    }
    while (head_ != next) {
        head_ = ledger_.ancestor(*next, BlockNumber(head_->number().value() + 1));
        add(*head_);
        remember_depths();
    }
}

void ChainChecker::remove(const SimBlock& block) {
    disputed_.insert(block.number());
    for (const auto& transaction : block.transactions)
        --executed_[{transaction->sender, transaction->value.value()}];
}

void ChainChecker::add(const SimBlock& block) {
    for (const auto& transaction : block.transactions) {
        if (transaction->value.value() == Uint256(0)) continue;  // a filler carries nobody's intent
        if (++executed_[{transaction->sender, transaction->value.value()}] > 1) {
            judge_.blame(world_.now(), "law 3: an intent is executed once",
                         fmt::format("{} executed the intent of value {} a second time, at nonce {}",
                                     transaction->sender.to_lower(), transaction->value.value(), transaction->nonce));
        }
    }
}

void ChainChecker::remember_depths() {
    std::uint64_t depth = 0;
    for (const auto* block = head_; block != nullptr && depth < deep; block = block->parent, ++depth) {
        auto& fate = fates_[block->hash()];
        fate.depth = std::max(fate.depth, depth);
        fate.was_safe = fate.was_safe || (head_->safe && *head_->safe >= block->number());
        fate.was_finalized = fate.was_finalized || (head_->finalized && *head_->finalized >= block->number());
    }
}

}  // namespace fencepost::sim
