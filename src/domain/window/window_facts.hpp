// How many transactions of a submitter may be in flight, as people are told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "domain/window/send_window.hpp"

namespace fencepost {

struct WindowFacts {
    WindowState state;
    /// Since when it is so; none where that is not on record.
    std::optional<UnixTime> since{};

    friend bool operator==(const WindowFacts&, const WindowFacts&) = default;
};

/// From the configuration and what the lane has stored: nothing while it is where it starts, and at most a factor of
/// two away from what the lane has found since. A smaller number may have been configured meanwhile.
[[nodiscard]] WindowFacts window_in_force(const WindowRules& rules, const std::optional<WindowState>& stored,
                                          std::optional<UnixTime> since);

/// "the window is 16 (limited by pool_full since 2026-11-19T12:00:05.000Z)"
[[nodiscard]] std::string sentence_of(const WindowFacts& window);

/// What a transaction waits for that may not be sent yet.
struct QueuedBehind {
    /// So many of its submitter's are in flight below it.
    std::uint64_t transactions = 0;
    WindowFacts window{};

    friend bool operator==(const QueuedBehind&, const QueuedBehind&) = default;
};

/// "queued behind 37 transactions: the window is 16 (…)"
[[nodiscard]] std::string sentence_of(const QueuedBehind& behind);

}  // namespace fencepost
