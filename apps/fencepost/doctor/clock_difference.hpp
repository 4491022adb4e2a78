// The difference between the database's clock and this machine's, as precisely as one request can measure it.
#pragma once

#include "base/time.hpp"
#include "doctor/finding.hpp"

namespace fencepost::doctor {

/// `there` was read during a request that took `took` and ended at `here`. Leases use the database's time alone, so a
/// difference breaks nothing; but validUntil and all log times are off by it.
[[nodiscard]] Finding judge_clock_difference(UnixTime there, UnixTime here, Duration took);

}  // namespace fencepost::doctor
