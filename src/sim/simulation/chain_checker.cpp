#include "sim/simulation/chain_checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::sim {
namespace {

// Deeper than any depth a lane waits for.
constexpr std::uint64_t deep = 64;

}  // namespace

ChainChecker::ChainChecker(World& world, SimNetwork& network, ViolationRecorder& violations)
    : world_(world),
      network_(network),
      ledger_(network.ledger()),
      violations_(violations),
      head_(&ledger_.head()) {}

bool ChainChecker::is_disputed(BlockNumber height, const BlockHash& block) const {
    // Heights far below the head are no longer recorded in seen_: compare with the canonical chain.
    const auto* there = ledger_.ancestor(ledger_.head(), height);
    if (there != nullptr && there->hash() != block) return true;
    const auto found = seen_.find(height);
    if (found == seen_.end()) return false;
    return std::ranges::any_of(found->second, [&](const auto& seen) {
        return seen.first != block && seen.second + max_staleness >= world_.now();
    });
}

// Records every branch that an endpoint follows, and the canonical branch.
void ChainChecker::see_endpoints() {
    const auto see = [this](const SimBlock& head) {
        std::uint64_t depth = 0;
        for (const auto* block = &head; block != nullptr && depth < deep; block = block->parent, ++depth)
            seen_[block->number()][block->hash()] = world_.now();
    };
    see(ledger_.head());
    for (const auto& endpoint : network_.endpoints())
        see(endpoint->view().head());
}

BlockFate ChainChecker::fate_of(const BlockHash& hash) const {
    const auto found = fates_.find(hash);
    return found == fates_.end() ? BlockFate{} : found->second;
}

void ChainChecker::update() {
    see_endpoints();
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
    fates_[block.hash()].removed_at = world_.now();
    for (const auto& transaction : block.transactions)
        std::erase(executed_[{transaction->sender, transaction->value.value()}], transaction->hash);
}

void ChainChecker::add(const SimBlock& block) {
    for (const auto& transaction : block.transactions) {
        if (transaction->value.value() == Uint256(0)) continue;  // a gap filler carries no caller's intent
        auto& by = executed_[{transaction->sender, transaction->value.value()}];
        by.push_back(transaction->hash);
        if (by.size() > 1) report_double_execution(*transaction, by.front());
    }
}

void ChainChecker::report_double_execution(const SimTx& transaction, const TxHash& first) {
    const auto other = owner_of_(first);
    violations_.report(
        world_.now(), "law 3: an intent is executed once",
        fmt::format("{} executed the intent of value {} a second time, at nonce {}; the first was {}",
                    transaction.sender.to_lower(), transaction.value.value(), transaction.nonce,
                    other ? fmt::format("transaction {}", *other) : to_hex_prefixed(first.view())),
        subject_of(owner_of_(transaction.hash), SubmitterId::evm(ledger_.options().chain_id, transaction.sender)));
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
