// fencepost demo: runs a node, a chain and sample transactions without configuration.
#include "demo/demo.hpp"

#include <memory>

#include <CLI/App.hpp>

#include "checked_options.hpp"
#include "commands.hpp"

namespace fencepost {

void add_demo(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand(
        "demo", "Run a node, a development chain and sample transactions, without configuration");
    const auto options = std::make_shared<demo::DemoOptions>();
    add_loopback_address(*command, "--listen", options->listen, "The address to listen on");
    command->add_option("--data", options->data, "The folder for all data")->type_name("DIR")->capture_default_str();
    command->add_option("--rpc", options->rpc, "URL of a development chain, such as anvil; default: the built-in chain")
        ->type_name("URL");
    add_duration(*command, "--block-time", options->block_time, "Block time of the built-in chain");
    command
        ->add_option("--confirmations", options->confirmations,
                     "Number of confirmations that make a transaction CONFIRMED")
        ->type_name("NUMBER")
        ->capture_default_str();
    command->add_option("--samples", options->samples, "Number of sample transactions")
        ->type_name("NUMBER")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "Do not print the progress of transactions");
    command->callback([&chosen, options] {
        chosen = [options] {
            demo::run_demo(*options);
            return exit_ok;
        };
    });
}

}  // namespace fencepost
