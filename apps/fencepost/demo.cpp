// fencepost demo: everything at once, with nothing to configure.
#include "demo/demo.hpp"

#include <memory>

#include <CLI/App.hpp>

#include "checked_options.hpp"
#include "commands.hpp"

namespace fencepost {

void add_demo(CLI::App& program, Work& chosen) {
    auto* command =
        program.add_subcommand("demo", "Try it out: a node, a chain and a few transactions, with nothing to configure");
    const auto options = std::make_shared<demo::DemoOptions>();
    add_loopback_address(*command, "--listen", options->listen, "The address to listen on");
    command->add_option("--data", options->data, "The folder everything is kept in")
        ->type_name("DIR")
        ->capture_default_str();
    command
        ->add_option("--rpc", options->rpc, "A node of a development chain, such as anvil; without it, one is built in")
        ->type_name("URL");
    add_duration(*command, "--block-time", options->block_time, "How often the built-in chain makes a block");
    command->add_option("--confirmations", options->confirmations, "How many blocks make a transaction CONFIRMED")
        ->type_name("NUMBER")
        ->capture_default_str();
    command->add_option("--samples", options->samples, "How many transactions to begin with")
        ->type_name("NUMBER")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "Do not tell what happens to transactions");
    command->callback([&chosen, options] {
        chosen = [options] {
            demo::run_demo(*options);
            return exit_ok;
        };
    });
}

}  // namespace fencepost
