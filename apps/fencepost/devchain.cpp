// fencepost devchain: runs a development chain by itself, for tests and for trying the service.
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
    std::string data;  // empty: in memory only
};

void print_accounts() {
    const auto accounts = devchain::dev_accounts();
    fmt::print(
        "\nEach account has 10,000 ether. The private keys are public: use these accounts on this chain only.\n\n");
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
    StopSignal signal(context);  // before the line below: a reader of it may stop the process
    fmt::print("development chain {} at block {} on http://{} (Ctrl-C to stop)\n", chain.chain_id(), chain.height(),
               chain.address().to_string());
    print_accounts();
    std::fflush(stdout);
    run_task(context, signal.run(run_until_cancelled(&tasks, &chain), [&tasks] { tasks.cancel(); }));
    return exit_ok;
}

}  // namespace

void add_devchain(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("devchain", "Run a development chain with funded accounts");
    const auto options = std::make_shared<DevchainOptions>();
    add_loopback_address(*command, "--listen", options->chain.listen, "The address to listen on");
    command->add_option("--data", options->data, "The folder for the chain's data; default: in memory only")
        ->type_name("DIR");
    add_duration(*command, "--block-time", options->chain.block_time,
                 "Block time; 0s: a block for each transaction at once");
    command->add_option("--chain-id", options->chain.chain_id, "The chain id of a new chain")
        ->type_name("NUMBER")
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace fencepost
