// fencepost serve: puts the node together and runs it until it is told to stop.
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include "base/task_group.hpp"
#include "commands.hpp"
#include "http/routes/routes.hpp"
#include "http/server.hpp"
#include "system/system_clock.hpp"

namespace fencepost {
namespace {

struct ServeOptions {
    http::ListenAddress listen;
};

// Tells the tasks to stop, once. The next signal finds the system's own handling again, so that a second Ctrl-C ends
// the process at once.
Task<void> stop_on_signal(asio::signal_set* signals, TaskGroup* tasks) {
    co_await signals->async_wait(asio::use_awaitable);
    signals->clear();
    tasks->cancel();
}

Task<void> run_until_signal(http::Server* server, asio::signal_set* signals) {
    TaskGroup tasks(co_await asio::this_coro::executor);
    tasks.spawn(server->run());
    tasks.spawn(stop_on_signal(signals, &tasks));
    co_await tasks.join();
}

http::Router make_router() {
    http::Router router;
    router.add(http::routes::livez());
    return router;
}

void report_fault(std::string_view what) { fmt::print(stderr, "fencepost: a request failed: {}\n", what); }

ExitCode serve(const ServeOptions& options) {
    SystemClock clock;
    const auto router = make_router();
    asio::io_context context(1);
    http::Server server(context.get_executor(), clock, router, {.listen = options.listen, .on_fault = report_fault});
    // Before the line below: whoever has read it may stop us.
    asio::signal_set signals(context, SIGINT, SIGTERM);
    fmt::print("fencepost {} serving on http://{} (Ctrl-C to stop)\n", FENCEPOST_VERSION, server.address().to_string());
    std::fflush(stdout);

    asio::co_spawn(context, run_until_signal(&server, &signals), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    return exit_ok;
}

std::string check_listen(const std::string& text) {
    const auto address = http::ListenAddress::parse(text);
    return address ? "" : address.error().what;
}

}  // namespace

void add_serve(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("serve", "Serve the HTTP API until stopped");
    const auto options = std::make_shared<ServeOptions>();
    const auto set_listen = [options](const std::string& text) { options->listen = *http::ListenAddress::parse(text); };
    command->add_option_function<std::string>("--listen", set_listen, "The address to listen on")
        ->type_name("HOST:PORT")
        ->check(CLI::Validator(check_listen, ""))
        ->default_str(options->listen.to_string());
    command->callback([&chosen, options] { chosen = [options] { return serve(*options); }; });
}

}  // namespace fencepost
