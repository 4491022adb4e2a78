// The audit log: one line for every command with which a caller changes what the service would do by itself. The
// command's database row keeps the same facts.
#pragma once

#include <string>
#include <string_view>

#include "api/auth/caller.hpp"
#include "ports/log.hpp"
#include "ports/store/commands.hpp"

namespace fencepost::api {

/// `outcome` is "posted", or the reason why the command was not posted.
void audit(Log& log, const Caller& caller, std::string_view act, const Command& command, std::string_view outcome);

}  // namespace fencepost::api
