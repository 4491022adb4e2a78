// What a lane has written, in words, for the log. For who asks for `debug`; otherwise nothing is formatted.
#pragma once

#include "ports/log.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// A lane's write that the store has applied: a line for each transaction, and one for what is about the submitter.
void log_write(Log& log, const LaneWrite& write);

}  // namespace fencepost::lane
