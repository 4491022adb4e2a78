// fencepost tx, in parts: each adds its commands.
#pragma once

#include <string_view>

#include "cli/session.hpp"

namespace fencepost::cli {

void add_tx_reads(CLI::App& tx, Work& chosen);
void add_tx_send(CLI::App& tx, Work& chosen);
void add_tx_wait(CLI::App& tx, Work& chosen);
void add_tx_orders(CLI::App& tx, Work& chosen);

/// For what the rules of the command line cannot say.
[[nodiscard]] ExitCode wrong_usage(std::string_view what);

}  // namespace fencepost::cli
