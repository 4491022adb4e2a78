// Options of subcommands whose text has a form: what is wrong is told as wrong usage, before anything starts.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "base/time.hpp"
#include "http/listen_address.hpp"

namespace fencepost {

/// Each adds an option that sets `target`, whose value now is the default. `target` must outlive the command.
/// Of this machine only: for what everybody could use who reaches it.
CLI::Option* add_loopback_address(CLI::App& command, const std::string& name, http::ListenAddress& target,
                                  const std::string& what);
CLI::Option* add_duration(CLI::App& command, const std::string& name, Duration& target, const std::string& what);

}  // namespace fencepost
