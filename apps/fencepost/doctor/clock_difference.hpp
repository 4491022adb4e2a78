// How far the database's clock is from ours, as far as one question over a network can tell.
#pragma once

#include "base/time.hpp"
#include "doctor/finding.hpp"

namespace fencepost::doctor {

/// `there` was read while the question was under way, which took `took` and ended at `here`. Leases are judged by the
/// database's time alone, so a difference stops nothing; but what is valid until some time, and every log, is off by
/// it.
[[nodiscard]] Finding judge_clock_difference(UnixTime there, UnixTime here, Duration took);

}  // namespace fencepost::doctor
