// The subcommands of fencepost, one line and one file each. main.cpp knows no more of them than this.
#pragma once

#include <functional>

#include <CLI/App.hpp>

namespace fencepost {

/// What scripts may rely on.
enum ExitCode : int { exit_ok = 0, exit_failed = 1, exit_wrong_usage = 2 };

/// The work of the subcommand that was chosen. Throws StartupError.
using Work = std::function<ExitCode()>;

/// Each adds its subcommand with its options to the program, and puts its work into `chosen` when it is the one.
void add_config(CLI::App& program, Work& chosen);
void add_key(CLI::App& program, Work& chosen);
void add_migrate(CLI::App& program, Work& chosen);
void add_serve(CLI::App& program, Work& chosen);

}  // namespace fencepost
