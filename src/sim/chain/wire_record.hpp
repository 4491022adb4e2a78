// Records every transaction that left a node, for the checker of law 2: bytes must be on record before they leave.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "sim/ledger/sim_tx.hpp"
#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::sim {

struct WireEntry {
    std::string node;
    std::string endpoint;
    WireTx transaction;
    Instant left_at;
    /// None while it is in transit, and permanently when it is lost.
    std::optional<Instant> arrived_at{};
    /// The mempool's verdict; none when the pool did not process it.
    std::optional<SendOutcome> outcome{};
};

class WireRecord {
public:
    using Watch = std::function<void(const WireEntry&)>;

    /// Called for each entry at the moment the bytes leave the node.
    void watch(Watch watch) { watch_ = std::move(watch); }

    [[nodiscard]] std::size_t left(WireEntry entry) {
        if (watch_) watch_(entry);
        entries_.push_back(std::move(entry));
        return entries_.size() - 1;
    }
    void arrived(std::size_t entry, Instant at, std::optional<SendOutcome> outcome) {
        entries_[entry].arrived_at = at;
        entries_[entry].outcome = outcome;
    }

    [[nodiscard]] const std::vector<WireEntry>& entries() const { return entries_; }

private:
    Watch watch_;
    std::vector<WireEntry> entries_;
};

}  // namespace fencepost::sim
