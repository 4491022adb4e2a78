// What this process knows of a shared key's nonces besides the database: what the chain said last, and what was given
// out since. It saves asking the chain for every nonce, and never leads back behind a nonce that was given out.
#pragma once

#include <algorithm>
#include <optional>

#include "ports/chain.hpp"
#include "ports/store/relaxed_nonces.hpp"

namespace fencepost::relaxed {

class NonceCache {
public:
    /// Whether the chain need not be asked. A time-out of 0 always asks.
    [[nodiscard]] bool fresh(Instant now, Duration timeout) const { return heard_at_ && now - *heard_at_ < timeout; }

    /// Whether there is anything to go by.
    [[nodiscard]] bool empty() const { return bounds_.next == Nonce(0); }

    /// Also when it is not fresh any more: an old bound is still a bound (no step back while the database lags).
    [[nodiscard]] const NonceBounds& bounds() const { return bounds_; }

    /// What is in blocks and in mempools may shrink, by a reorg or an eviction. What was given out may not.
    void hear(const AccountCounts& counts, Instant now) {
        bounds_ = {.pending = std::max(counts.latest, counts.pending),
                   .next = std::max({bounds_.next, counts.latest, counts.pending})};
        heard_at_ = now;
    }

    /// To be called once it is committed.
    void give_out(Nonce nonce) { bounds_.next = std::max(bounds_.next, Nonce(nonce.next())); }

    /// The chain has moved: it is asked again, and what it bounds goes on bounding.
    void doubt() { heard_at_.reset(); }

    /// After a commit that failed nobody knows what was given out but the database.
    void drop() { *this = {}; }

private:
    NonceBounds bounds_{};
    std::optional<Instant> heard_at_{};
};

}  // namespace fencepost::relaxed
