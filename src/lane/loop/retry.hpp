// A question to the outside that is asked again until it is answered: one at a time, with growing pauses.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace fencepost::lane {

struct Retry {
    bool running = false;
    std::uint32_t failures = 0;  // in a row
    Instant due{};

    [[nodiscard]] bool is_due(Instant now) const { return !running && due <= now; }
    /// When it will be due; the end of time while it is running, for its answer comes by itself.
    [[nodiscard]] Instant next() const { return running ? Instant::max() : due; }
    void start() { running = true; }
    void answered(Instant next) { *this = {.running = false, .failures = 0, .due = next}; }
    /// No answer: `pause` follows from the failures so far, this one included.
    template <typename Pause>
    void failed(Instant now, Pause pause) {
        running = false;
        due = now + pause(++failures);
    }
};

}  // namespace fencepost::lane
