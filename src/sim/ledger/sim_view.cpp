#include "sim/ledger/sim_view.hpp"

namespace fencepost::sim {

const SimBlock& SimView::at(At at) const {
    switch (at) {
        case At::latest:
        case At::pending:
            return *head_;
        case At::safe:
            return *block(head_->safe.value_or(BlockNumber{}));
        case At::finalized:
            return *block(head_->finalized.value_or(BlockNumber{}));
    }
    FP_UNREACHABLE();
}

const SimBlock* SimView::block(const BlockHash& hash) const {
    const auto* found = ledger_->block(hash);
    return found != nullptr && found->number() <= head_->number() ? found : nullptr;
}

std::optional<Receipt> SimView::receipt(const TxHash& hash) const {
    const auto found = executed(hash);
    if (!found) return std::nullopt;
    return found->receipt();
}

}  // namespace fencepost::sim
