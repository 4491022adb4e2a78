// fencepost serve: puts the node together and runs it until it is told to stop.
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include "base/task_group.hpp"
#include "commands.hpp"
#include "configured.hpp"
#include "node/node.hpp"

namespace fencepost {
namespace {

// Tells the node to stop, once. The next signal finds the system's own handling again, so that a second Ctrl-C ends the
// process at once.
Task<void> stop_on_signal(asio::signal_set* signals, node::Node* node) {
    co_await signals->async_wait(asio::use_awaitable);
    signals->clear();
    node->stop();
}

Task<void> run_until_signal(node::Node* node, asio::signal_set* signals) {
    TaskGroup waiting(co_await asio::this_coro::executor);
    waiting.spawn(stop_on_signal(signals, node));
    std::exception_ptr failed;
    try {
        co_await node->run();
    } catch (...) {
        failed = std::current_exception();
    }
    waiting.cancel();
    co_await waiting.join();
    if (failed) std::rethrow_exception(failed);
}

ExitCode serve(const ConfigOptions& options) {
    auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    asio::io_context context(1);
    node::Node node(context, std::move(loaded->config));
    // Before the line below: whoever has read it may stop us.
    asio::signal_set signals(context, SIGINT, SIGTERM);
    fmt::print("fencepost {} serving on http://{} (Ctrl-C to stop)\n", FENCEPOST_VERSION, node.address().to_string());
    std::fflush(stdout);

    asio::co_spawn(context, run_until_signal(&node, &signals), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    return exit_ok;
}

}  // namespace

void add_serve(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("serve", "Serve the HTTP API until stopped");
    const auto options = add_config_options(*command);
    // A key like the others, but the one that people look for in --help.
    const auto set_listen = [options](const std::string& text) { options->arguments.push_back("--listen=" + text); };
    command->add_option_function<std::string>("--listen", set_listen, "The address to listen on")
        ->type_name("HOST:PORT")
        ->default_str(http::ListenAddress{}.to_string());
    command->callback([&chosen, command, options] {
        take_arguments(*command, *options);
        chosen = [options] { return serve(*options); };
    });
}

}  // namespace fencepost
