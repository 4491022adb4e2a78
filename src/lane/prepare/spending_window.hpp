// The spending of a submitter within its policy's time window: loaded from the database when its lane opens, and
// updated with each commit. Neither a restart nor a takeover resets the window.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "domain/submitter_policy.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// Whether the policy limits sums.
[[nodiscard]] bool limits_window(const std::optional<SubmitterPolicy>& policy);

class SpendingWindow {
public:
    void load(const std::vector<RecentAllocation>& recent, Instant now);
    /// A nonce or another attempt was added: the most expensive attempt counts, from the time of allocation.
    void add(TxId tx, const Spending& spending, Instant now);
    /// Its nonce was released.
    void forget(TxId tx) { spent_.erase(tx); }
    /// The sum within the window; older entries are dropped.
    [[nodiscard]] Spending sum(Instant now, Duration window);

private:
    struct Entry {
        Instant at;
        Spending spending;
    };
    std::map<TxId, Entry> spent_;
};

/// The sum, saturating at 256 bits.
[[nodiscard]] Spending operator+(const Spending& a, const Spending& b);

}  // namespace fencepost::lane
