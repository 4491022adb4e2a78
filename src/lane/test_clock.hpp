// A clock that is set by the test.
#pragma once

#include "base/assert.hpp"
#include "ports/clock.hpp"

namespace fencepost::lane::test {

struct ManualClock final : Clock {
    [[nodiscard]] Instant monotonic() const override { return now; }
    [[nodiscard]] UnixTime unix_now() const override { return {}; }
    Task<void> sleep_until(Instant /*deadline*/) override { FP_UNREACHABLE(); }
    Task<void> wait_until(Wakeup* /*wakeup*/, Instant /*deadline*/) override { FP_UNREACHABLE(); }

    Instant now{};
};

}  // namespace fencepost::lane::test
