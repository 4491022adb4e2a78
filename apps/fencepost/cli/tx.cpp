#include "cli/tx.hpp"

#include <fmt/format.h>

namespace fencepost {

void add_tx(CLI::App& program, Work& chosen) {
    auto* tx = program.add_subcommand("tx", "Send, follow, cancel and speed up transactions");
    tx->require_subcommand(0, 1);  // as in main.cpp
    cli::add_tx_send(*tx, chosen);
    cli::add_tx_wait(*tx, chosen);
    cli::add_tx_reads(*tx, chosen);
    cli::add_tx_commands(*tx, chosen);
}

namespace cli {

ExitCode wrong_usage(std::string_view what) {
    fmt::print(stderr, "fencepost: {}\n", what);
    return exit_wrong_usage;
}

}  // namespace cli
}  // namespace fencepost
