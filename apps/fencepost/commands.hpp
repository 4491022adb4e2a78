// The subcommands of fencepost, one function and one file each. main.cpp knows only these functions.
#pragma once

#include <functional>

#include <CLI/App.hpp>

namespace fencepost {

/// Exit codes; they are part of the CLI's contract.
enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,  // the server refused, or the command failed
    exit_wrong_usage = 2,
    exit_not_confirmed = 3,  // the awaited transaction failed, was rejected or was cancelled
    exit_timed_out = 4,      // the wait timed out; the transaction continues
    exit_not_reached = 5,    // the server did not answer
};

/// Runs the chosen subcommand. Throws StartupError.
using Work = std::function<ExitCode()>;

/// Adds all subcommands.
void add_commands(CLI::App& program, Work& chosen);

/// Each adds a subcommand with its options, and sets `chosen` when the user selects it.
void add_alerts(CLI::App& program, Work& chosen);
void add_apikey(CLI::App& program, Work& chosen);
void add_chains(CLI::App& program, Work& chosen);
void add_cluster(CLI::App& program, Work& chosen);
void add_config(CLI::App& program, Work& chosen);
void add_demo(CLI::App& program, Work& chosen);
void add_devchain(CLI::App& program, Work& chosen);
void add_doctor(CLI::App& program, Work& chosen);
void add_key(CLI::App& program, Work& chosen);
void add_migrate(CLI::App& program, Work& chosen);
void add_serve(CLI::App& program, Work& chosen);
void add_submitter(CLI::App& program, Work& chosen);
void add_tx(CLI::App& program, Work& chosen);

}  // namespace fencepost
