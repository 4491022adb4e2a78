// Options of subcommands that are validated while the command line is parsed, so that errors appear as wrong usage.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "base/time.hpp"
#include "http/listen_address.hpp"

namespace fencepost {

/// Each adds an option that sets `target`; its present value is the default. `target` must outlive the command.
/// Accepts loopback addresses only, for a service without authentication.
CLI::Option* add_loopback_address(CLI::App& command, const std::string& name, http::ListenAddress& target,
                                  const std::string& what);
CLI::Option* add_duration(CLI::App& command, const std::string& name, Duration& target, const std::string& what);

}  // namespace fencepost
