// fencepost devchain: a chain for development by itself, for tests and for a service that is tried out.
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/async/task_group.hpp"
#include "checked_options.hpp"
#include "commands.hpp"
#include "devchain/dev_accounts.hpp"
#include "devchain/dev_chain.hpp"
#include "devchain/dev_contracts.hpp"
#include "run_task.hpp"
#include "stop_signal.hpp"
#include "system/system_clock.hpp"

namespace fencepost {
namespace {

struct DevchainOptions {
    devchain::DevChainOptions chain{
        .on_fault = [](std::string_view what) { fmt::print(stderr, "fencepost: a request failed: {}\n", what); }};
    std::string data;  // empty: nothing is kept
};

void print_accounts() {
    const auto accounts = devchain::dev_accounts();
    fmt::print("\nEach of these has 10,000 ether. Their keys are known to the whole world: use them nowhere else.\n\n");
    for (std::size_t i = 0; i < accounts.size(); ++i)
        fmt::print("{}  {}\n", accounts[i].to_checksum(), devchain::dev_account_keys.at(i));
    fmt::print("\ntoken    {}  transfer(address,uint256), balanceOf(address), mint(address,uint256)\n",
               devchain::token_contract().to_checksum());
    fmt::print("refuses  {}  reverts every call\n", devchain::refusing_contract().to_checksum());
}

Task<void> run_until_cancelled(TaskGroup* tasks, devchain::DevChain* chain) {
    tasks->spawn(chain->run());
    co_await tasks->join();
}

ExitCode run(DevchainOptions options) {
    if (!options.data.empty()) options.chain.data = options.data;
    SystemClock clock;
    asio::io_context context(1);
    devchain::DevChain chain(context.get_executor(), clock, options.chain);
    TaskGroup tasks(context.get_executor());
    StopSignal signal(context);  // before the line below: whoever has read it may stop us
    fmt::print("development chain {} at block {} on http://{} (Ctrl-C to stop)\n", chain.chain_id(), chain.height(),
               chain.address().to_string());
    print_accounts();
    std::fflush(stdout);
    run_task(context, signal.run(run_until_cancelled(&tasks, &chain), [&tasks] { tasks.cancel(); }));
    return exit_ok;
}

}  // namespace

void add_devchain(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("devchain", "Run a chain for development, with funded accounts");
    const auto options = std::make_shared<DevchainOptions>();
    add_loopback_address(*command, "--listen", options->chain.listen, "The address to listen on");
    command->add_option("--data", options->data, "The folder to keep the chain in; without it, nothing is kept")
        ->type_name("DIR");
    add_duration(*command, "--block-time", options->chain.block_time,
                 "How often a block is made; 0s: one for each transaction, at once");
    command->add_option("--chain-id", options->chain.chain_id, "The chain's id, if it is a new one")
        ->type_name("NUMBER")
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace fencepost
