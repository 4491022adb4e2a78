// A cache of a shared key's nonce state: the chain's last answer, and what was allocated since. It saves a chain query
// per nonce, and never goes back below an allocated nonce.
#pragma once

#include <algorithm>
#include <optional>

#include "ports/chain.hpp"
#include "ports/store/relaxed_nonces.hpp"

namespace fencepost::relaxed {

class NonceCache {
public:
    /// Whether the chain need not be queried. A time-out of 0 always queries it.
    [[nodiscard]] bool fresh(Instant now, Duration timeout) const {
        return updated_at_ && now - *updated_at_ < timeout;
    }

    /// Whether nothing is known yet.
    [[nodiscard]] bool empty() const { return bounds_.next == Nonce(0); }

    /// Valid even when stale: an old bound is still a lower bound (no step back while the database lags).
    [[nodiscard]] const NonceBounds& bounds() const { return bounds_; }

    /// The counts of blocks and mempools may shrink, by a reorg or an eviction. The allocated maximum may not.
    void update(const AccountCounts& counts, Instant now) {
        bounds_ = {.pending = std::max(counts.latest, counts.pending),
                   .next = std::max({bounds_.next, counts.latest, counts.pending})};
        updated_at_ = now;
    }

    /// Call after the commit.
    void record_allocated(Nonce nonce) { bounds_.next = std::max(bounds_.next, Nonce(nonce.next())); }

    /// Invalidates freshness, so that the chain is queried again; the bounds stay.
    void invalidate() { updated_at_.reset(); }

    /// After a failed commit only the database knows what was allocated.
    void drop() { *this = {}; }

private:
    NonceBounds bounds_{};
    std::optional<Instant> updated_at_{};
};

}  // namespace fencepost::relaxed
