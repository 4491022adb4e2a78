// The subcommands of fencepost, one line and one file each. main.cpp knows no more of them than this.
#pragma once

#include <functional>

#include <CLI/App.hpp>

namespace fencepost {

/// What scripts may rely on.
enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,  // the server said no, or what was asked for could not be done
    exit_wrong_usage = 2,
    exit_settled_badly = 3,  // the transaction that was waited for failed, was rejected or was cancelled
    exit_timed_out = 4,      // waiting; the transaction goes on
    exit_not_reached = 5,    // there is no answer from the server
};

/// The work of the subcommand that was chosen. Throws StartupError.
using Work = std::function<ExitCode()>;

/// Adds all of them.
void add_commands(CLI::App& program, Work& chosen);

/// Each adds its subcommand with its options to the program, and puts its work into `chosen` when it is the one.
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
