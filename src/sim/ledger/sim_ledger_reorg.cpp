// Reorgs: truncates the canonical chain and builds the new branch like any other blocks.
#include <iterator>

#include "base/assert.hpp"
#include "sim/ledger/sim_ledger.hpp"

namespace fencepost::sim {

std::uint64_t SimLedger::deepest_reorg() const { return head().number().above(finalized().value_or(BlockNumber{})); }

ReorgResult SimLedger::reorg(const Reorg& reorg, UnixTime now) {
    FP_ASSERT(reorg.depth > 0 && reorg.depth < canonical_.size(), "{} blocks cannot be removed", reorg.depth);
    FP_ASSERT(reorg.past_finality || reorg.depth <= deepest_reorg(), "finalized blocks cannot be removed");
    ReorgResult result;
    std::vector<SimTxPtr> wanted = reorg.instead;
    const auto first_removed = std::prev(canonical_.end(), static_cast<std::ptrdiff_t>(reorg.depth));
    for (auto removed = first_removed; removed != canonical_.end(); ++removed) {
        for (const auto& transaction : (*removed)->transactions) {
            switch (reorg.fate_of(transaction->hash)) {
                case Reorg::Fate::to_mempool:
                    result.to_mempool.push_back(transaction);
                    break;
                case Reorg::Fate::dropped:
                    result.dropped.push_back(transaction);
                    break;
                case Reorg::Fate::in_new_branch:
                    wanted.push_back(transaction);
                    break;
            }
        }
    }
    canonical_.erase(first_removed, canonical_.end());
    if (reorg.past_finality) highest_finalized_ = head().finalized;

    const std::uint64_t length = reorg.length == 0 ? reorg.depth + 1 : reorg.length;
    for (std::uint64_t i = 0; i < length; ++i) {
        auto builder = build_on(head());
        // Not by price: a transaction that a test puts in place of another must not lose against it.
        std::erase_if(wanted, [&builder](const SimTxPtr& transaction) { return builder.add(transaction); });
        seal(&head(), std::move(builder), now);
    }
    result.to_mempool.insert(result.to_mempool.end(), wanted.begin(), wanted.end());
    steps_.push_back({now, &head()});
    return result;
}

}  // namespace fencepost::sim
