// The send window in the form that API, CLI and logs show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "domain/window/send_window.hpp"

namespace fencepost {

struct WindowFacts {
    WindowState state;
    /// Since when; none if not recorded.
    std::optional<UnixTime> since{};

    friend bool operator==(const WindowFacts&, const WindowFacts&) = default;
};

/// From the configuration and the stored state: none while the window has its start value, and at most a factor of two
/// away from the current one. The configured maximum may have been lowered meanwhile.
[[nodiscard]] WindowFacts effective_window(const WindowRules& rules, const std::optional<WindowState>& stored,
                                           std::optional<UnixTime> since);

/// "the window is 16 (limited by pool_full since 2026-11-19T12:00:05.000Z)"
[[nodiscard]] std::string sentence_of(const WindowFacts& window);

/// Why a transaction may not be sent yet.
struct QueuedBehind {
    /// The number of transactions in flight below it.
    std::uint64_t transactions = 0;
    WindowFacts window{};

    friend bool operator==(const QueuedBehind&, const QueuedBehind&) = default;
};

/// "queued behind 37 transactions: the window is 16 (…)"
[[nodiscard]] std::string sentence_of(const QueuedBehind& behind);

}  // namespace fencepost
