// Logs a lane's writes at `debug`; otherwise nothing is formatted.
#pragma once

#include "ports/log.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// Logs an applied write: one line per transaction, and one for the submitter.
void log_write(Log& log, const LaneWrite& write);

}  // namespace fencepost::lane
