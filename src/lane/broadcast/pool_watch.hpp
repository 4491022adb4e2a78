// What a lane knows of its transactions in pools, and the window that follows from it. An endpoint's "accepted" is no
// evidence that its pool holds a transaction (failure 72): a look into the pool is, and a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "domain/window/send_window.hpp"
#include "lane/broadcast/pool_shares.hpp"
#include "lane/loop/retry.hpp"

namespace fencepost::lane {

/// An endpoint that has shown something of ours.
struct ShownPool {
    /// At the last look. One that holds nothing any more was started anew.
    bool holds = false;
    /// Since it held nothing: how often it was filled again, and from which block on it may be once more.
    std::uint32_t refills = 0;
    BlockNumber refill_from{};
};

struct PoolWatch {
    PoolWatch(WindowRules rules, const std::optional<WindowState>& stored, PoolShares& shares)
        : window(rules, stored),
          share(shares) {}

    SendWindow window;
    PoolShares::Member share;
    /// Pools have no room for it and what stands above: the window, or this lane's share of the pools, has become
    /// smaller than what is in flight. None: they have room for all.
    std::optional<Nonce> room_below{};
    /// Nothing at or above it is sent: there is no room, or something below may be lost. None: everything may be.
    std::optional<Nonce> send_below{};
    /// The lowest that the last look did not find for the first time. What is sent above it before the next look would
    /// mostly be lost, too: a pool keeps few transactions out of order.
    std::optional<Nonce> suspected{};
    /// Everything below is held by a pool, or mined.
    Nonce seen_below{};
    Nonce sent_below{};
    /// Since when the lowest nonce in flight is the lowest, and which one that is.
    std::optional<Nonce> lowest{};
    Instant lowest_since{};

    /// Whether the endpoints hold what they took.
    Retry look{};
    BlockNumber looked_at{};
    /// Looks in a row that found nothing new.
    std::uint32_t quiet_looks = 0;
    /// At the last look no endpoint could tell: until the next block it is not asked again.
    bool is_blind = false;
    /// Nothing could be asked about: not before something that was sent is answered, or a block.
    bool is_idle = false;
    Instant answered_at{};
    std::map<std::string, ShownPool> endpoints{};

    /// Proven absent, to be sent again.
    std::vector<Nonce> to_repair{};
    /// What pools lost goes back in pieces, each twice the last: those at or above it wait until all below is seen.
    std::optional<Nonce> repair_below{};
    std::size_t repair_piece = 0;
    /// Not before this block.
    BlockNumber repair_from{};
    std::uint32_t repairs = 0;  // in a row, without one that helped

    /// Whether the account is delegated (EIP-7702): asked when the lane opens, when pools behave as if it were, and
    /// while it is.
    Retry delegation{};
    bool delegation_known = false;

    /// The lowest nonce for which an alert said that pools hold it and no block takes it.
    std::optional<Nonce> not_mined_told{};
};

}  // namespace fencepost::lane
