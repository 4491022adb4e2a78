// What a submitter has spent within its policy's window of time: read from the database when its lane opens, and kept
// up with what the lane commits. So neither a restart nor a takeover begins the window anew.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "domain/submitter_policy.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// Whether the policy says anything about sums.
[[nodiscard]] bool limits_window(const std::optional<SubmitterPolicy>& policy);

class SpendingWindow {
public:
    void load(const std::vector<RecentAllocation>& recent, Instant now);
    /// It got its nonce, or another attempt: of several the dearest counts, from when it got the nonce.
    void add(TxId tx, const Spending& spending, Instant now);
    /// It has no nonce any more.
    void forget(TxId tx) { spent_.erase(tx); }
    /// The sum of what is not older; what is older is forgotten.
    [[nodiscard]] Spending sum(Instant now, Duration window);

private:
    struct Entry {
        Instant at;
        Spending spending;
    };
    std::map<TxId, Entry> spent_;
};

/// Both together; as much as there can be where that does not fit 256 bits.
[[nodiscard]] Spending operator+(const Spending& a, const Spending& b);

}  // namespace fencepost::lane
