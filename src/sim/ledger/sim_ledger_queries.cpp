// The ledger's queries for checkers and endpoints.
#include "sim/ledger/sim_ledger.hpp"

namespace fencepost::sim {

const SimBlock* SimLedger::ancestor(const SimBlock& head, BlockNumber number) const {
    if (number > head.number()) return nullptr;
    const auto is_canonical = [this](const SimBlock& block) {
        const std::size_t height = block.number().value();
        return height < canonical_.size() && canonical_[height].get() == &block;
    };
    // Branches are short: walk down only to the canonical chain.
    const SimBlock* block = &head;
    while (block->number() > number && !is_canonical(*block))
        block = block->parent;
    return block->number() == number ? block : canonical_[number.value()].get();
}

const SimBlock* SimLedger::block(const BlockHash& hash) const {
    const auto found = blocks_.find(hash);
    return found == blocks_.end() ? nullptr : found->second.get();
}

std::optional<Executed> SimLedger::on_branch(const SimBlock& head, std::span<const Place> places) const {
    for (const auto& [block, index] : places) {
        if (ancestor(head, block->number()) == block) return Executed{block->transactions[index], block, index};
    }
    return std::nullopt;
}

std::optional<Executed> SimLedger::executed(const SimBlock& head, const TxHash& hash) const {
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? std::nullopt : on_branch(head, found->second);
}

std::optional<Executed> SimLedger::executed(const SimBlock& head, const Address& sender, Nonce nonce) const {
    const auto found = by_nonce_.find({sender, nonce});
    return found == by_nonce_.end() ? std::nullopt : on_branch(head, found->second);
}

std::vector<Executed> SimLedger::executed() const {
    std::vector<Executed> all;
    for (const auto& block : canonical_) {
        for (std::size_t i = 0; i < block->transactions.size(); ++i)
            all.push_back({block->transactions[i], block.get(), i});
    }
    return all;
}

}  // namespace fencepost::sim
