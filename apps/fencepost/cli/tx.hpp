// The subcommands of fencepost tx; each function adds some of them.
#pragma once

#include <string_view>

#include "cli/session.hpp"

namespace fencepost::cli {

void add_tx_reads(CLI::App& tx, Work& chosen);
void add_tx_send(CLI::App& tx, Work& chosen);
void add_tx_wait(CLI::App& tx, Work& chosen);
void add_tx_commands(CLI::App& tx, Work& chosen);

/// Reports wrong usage that CLI11 cannot detect.
[[nodiscard]] ExitCode wrong_usage(std::string_view what);

}  // namespace fencepost::cli
