// fencepost serve: builds the node and runs it until a signal stops it.
#include <cstdio>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "configured.hpp"
#include "node/node.hpp"
#include "run_task.hpp"
#include "stop_signal.hpp"
#include "system/descriptor_limit.hpp"

namespace fencepost {
namespace {

ExitCode serve(const ConfigOptions& options) {
    auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    raise_descriptor_limit();
    asio::io_context context(1);
    node::Node node(context, std::move(loaded->config));
    StopSignal signal(context);  // before the line below: a reader of it may stop the process
    fmt::print("fencepost {} serving on {} (Ctrl-C to stop)\n", FENCEPOST_VERSION, node.url());
    std::fflush(stdout);

    run_task(context, signal.run(node.run(), [&node] { node.stop(); }));
    return exit_ok;
}

}  // namespace

void add_serve(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("serve", "Serve the HTTP API until stopped");
    const auto options = add_config_options(*command);
    // An alias of the key listen, so that --help shows it.
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
