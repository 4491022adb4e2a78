// The chain as one endpoint sees it at one moment: the branch that ends in its head. An answer uses a single view, so
// that it never mixes two branches.
#pragma once

#include <optional>
#include <string>

#include "ports/chain.hpp"
#include "sim/ledger/sim_ledger.hpp"

namespace fencepost::sim {

class SimView {
public:
    SimView(const SimLedger& ledger, const SimBlock& head) : ledger_(&ledger), head_(&head) {}

    [[nodiscard]] const SimLedger& ledger() const { return *ledger_; }
    [[nodiscard]] const SimBlock& head() const { return *head_; }
    /// The block with this tag; the first block while none is safe or final. "Pending" is the head here.
    [[nodiscard]] const SimBlock& at(At at) const;

    [[nodiscard]] const SimBlock* block(BlockNumber number) const { return ledger_->ancestor(*head_, number); }
    /// Also on an abandoned branch, as real nodes answer, but not a block this endpoint cannot know yet.
    [[nodiscard]] const SimBlock* block(const BlockHash& hash) const;
    [[nodiscard]] std::optional<Executed> executed(const TxHash& hash) const { return ledger_->executed(*head_, hash); }
    [[nodiscard]] std::optional<Executed> executed(const Address& sender, Nonce nonce) const {
        return ledger_->executed(*head_, sender, nonce);
    }
    [[nodiscard]] std::optional<Receipt> receipt(const TxHash& hash) const;

private:
    const SimLedger* ledger_;
    const SimBlock* head_;
};

}  // namespace fencepost::sim
