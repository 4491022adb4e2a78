// Who did what, and why: a line for every act by which a person or a program changes what the service would do by
// itself. (The row of the command keeps the same.)
#pragma once

#include <string>
#include <string_view>

#include "api/auth/caller.hpp"
#include "ports/log.hpp"
#include "ports/store/commands.hpp"

namespace fencepost::api {

/// `outcome` is "posted", or why it was not.
void audit(Log& log, const Caller& caller, std::string_view act, const Command& command, std::string_view outcome);

}  // namespace fencepost::api
