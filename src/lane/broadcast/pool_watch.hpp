// The lane's knowledge about its transactions in pools, and the resulting send window. An endpoint's "accepted" is no
// evidence that its pool holds a transaction (failure 72): a pool query or a block is.
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

/// An endpoint that has shown one of our transactions.
struct ShownPool {
    /// At the last query. If it no longer holds any, it was restarted.
    bool holds = false;
    /// Since its pool was empty: the number of refills, and the first block for the next one.
    std::uint32_t refills = 0;
    BlockNumber refill_from{};
};

struct PoolWatch {
    PoolWatch(WindowRules rules, const std::optional<WindowState>& stored, PoolShares& shares)
        : window(rules, stored),
          share(shares) {}

    SendWindow window;
    PoolShares::Member share;
    /// Pools have no room at or above this nonce: the window, or this lane's pool share, has become smaller than what
    /// is in flight. None: room for all.
    std::optional<Nonce> room_below{};
    /// Nothing at or above it is sent: there is no room, or something below may be lost. None: no limit.
    std::optional<Nonce> send_below{};
    /// The lowest nonce that the last query did not find for the first time. Sends above it would likely be lost, too,
    /// before the next query: a pool keeps few transactions out of order.
    std::optional<Nonce> suspected{};
    /// Everything below is held by a pool, or mined.
    Nonce seen_below{};
    Nonce sent_below{};
    /// The lowest nonce in flight, and since when.
    std::optional<Nonce> lowest{};
    Instant lowest_since{};

    /// The query whether endpoints hold what they accepted.
    Retry look{};
    BlockNumber queried_at{};
    /// Consecutive queries without a new result.
    std::uint32_t quiet_queries = 0;
    /// No endpoint could tell at the last query: wait for the next block.
    bool is_blind = false;
    /// Nothing to query until a send is answered, or a block arrives.
    bool is_idle = false;
    Instant answered_at{};
    std::map<std::string, ShownPool> endpoints{};

    /// Proven absent, to be sent again.
    std::vector<Nonce> to_repair{};
    /// Lost transactions are resent in batches, each twice the size of the last: those at or above this nonce wait
    /// until all below are seen.
    std::optional<Nonce> repair_below{};
    std::size_t repair_piece = 0;
    /// Not before this block.
    BlockNumber repair_from{};
    std::uint32_t repairs = 0;  // consecutive, without success

    /// Whether the account is delegated (EIP-7702): checked when the lane opens, when pools behave like it, and while
    /// it is.
    Retry delegation{};
    bool delegation_known = false;

    /// The lowest nonce with a NOT_MINED alert.
    std::optional<Nonce> not_mined_alerted{};
};

}  // namespace fencepost::lane
