// Retry state of a query that is repeated until it is answered: one at a time, with growing intervals.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace fencepost::lane {

struct Retry {
    bool running = false;
    std::uint32_t failures = 0;  // in a row
    Instant due{};

    [[nodiscard]] bool is_due(Instant now) const { return !running && due <= now; }
    /// When it is due; Instant::max() while it is running.
    [[nodiscard]] Instant next() const { return running ? Instant::max() : due; }
    void start() { running = true; }
    void answered(Instant next) { *this = {.running = false, .failures = 0, .due = next}; }
    /// No answer: `pause` maps the number of failures, including this one, to a delay.
    template <typename Pause>
    void failed(Instant now, Pause pause) {
        running = false;
        due = now + pause(++failures);
    }
};

}  // namespace fencepost::lane
