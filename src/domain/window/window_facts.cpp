#include "domain/window/window_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fencepost {

WindowFacts effective_window(const WindowRules& rules, const std::optional<WindowState>& stored,
                             std::optional<UnixTime> since) {
    const auto at_start = rules.is_fixed() ? WindowLimit::ceiling : WindowLimit::demand;
    if (!stored) return {{rules.start, at_start}};
    if (stored->size > rules.ceiling) return {{rules.ceiling, WindowLimit::ceiling}};
    return {{std::max(stored->size, 1U), stored->limit}, since};
}

std::string sentence_of(const WindowFacts& window) {
    const auto& [size, limit] = window.state;
    if (limit == WindowLimit::demand)
        return fmt::format("the window is {}, and grows while pools hold what is sent", size);
    const auto cause = limit == WindowLimit::ceiling ? std::string_view("nonce.window") : name_of(limit);
    return fmt::format("the window is {} (limited by {}{})", size, cause,
                       window.since ? fmt::format(" since {}", to_rfc3339_milliseconds(*window.since)) : "");
}

std::string sentence_of(const QueuedBehind& behind) {
    return fmt::format("queued behind {} transaction{}: {}", behind.transactions, behind.transactions == 1 ? "" : "s",
                       sentence_of(behind.window));
}

}  // namespace fencepost
