// Serves scripted answers and runs the CLI against them.
#include "site.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "support/child_process.hpp"

namespace fencepost::test {
namespace {

/// Gives the answers one after another.
struct Turns {
    std::vector<http::Response> answers;
    std::size_t next = 0;
};

Task<http::Response> answer_in_turn(std::vector<http::Request>* requests, std::shared_ptr<Turns> turns,
                                    http::Request request) {
    requests->push_back(std::move(request));
    const auto at = std::min(turns->next++, turns->answers.size() - 1);
    co_return turns->answers[at];
}

Task<void> stop(TaskGroup* tasks) {
    tasks->cancel();
    co_await tasks->join();
}

}  // namespace

http::Response answer_of(std::string body, http::StatusCode status) {
    return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

Site::~Site() {
    if (!server_) return;
    asio::co_spawn(context_, stop(tasks_.get()), [](const std::exception_ptr&) {});
    context_.restart();
    context_.run();
}

void Site::on(http::Method method, const std::string& path, std::vector<http::Response> answers) {
    const auto turns = std::make_shared<Turns>(Turns{.answers = std::move(answers)});
    router_.add({.method = method, .path = path, .handler = [this, turns](http::Request request) {
                     return answer_in_turn(&requests_, turns, std::move(request));
                 }});
}

void Site::use_tls(const TestCertificate& certificate) {
    options_.tls = {.certificate = folder_.write("server.pem", certificate.certificate_pem),
                    .key = folder_.write("server.key", certificate.key_pem)};
}

void Site::open() {
    if (server_) return;
    server_ = std::make_unique<http::Server>(context_.get_executor(), clock_, router_, options_);
    tasks_ = std::make_unique<TaskGroup>(context_.get_executor());
    tasks_->spawn(server_->run());
}

std::string Site::url() {
    open();
    return (options_.tls ? "https://" : "http://") + server_->address().to_string();
}

Outcome Site::run_command(const std::vector<std::string>& command, const std::string& out) {
    open();
    std::vector<std::string> whole{"/usr/bin/env", "-u", "FENCEPOST_URL", "-u", "FENCEPOST_API_KEY", "-u", "NO_COLOR"};
    for (const auto& [name, value] : environment_)
        whole.push_back(fmt::format("{}={}", name, value));
    whole.insert(whole.end(), {"timeout", "60"});
    whole.insert(whole.end(), {"/bin/bash", "-c", R"(exec "$@" >"$0" 2>err </dev/null)", out});
    whole.insert(whole.end(), command.begin(), command.end());

    ChildProcess child(std::move(whole), {.folder = folder_.path().string()});
    while (!child.has_ended()) {
        context_.restart();
        context_.run_for(std::chrono::milliseconds(5));
    }
    return {.code = child.wait(),
            .out = out == "out" ? text_of(folder_.path() / out) : "",
            .err = text_of(folder_.path() / "err")};
}

Outcome Site::run(std::vector<std::string> arguments, bool with_url) {
    if (with_url) arguments.insert(arguments.end(), {"--url", url()});
    arguments.insert(arguments.begin(), FENCEPOST_PROGRAM);
    return run_command(arguments);
}

Outcome Site::run_into(const std::string& file, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--url", url()});
    arguments.insert(arguments.begin(), FENCEPOST_PROGRAM);
    return run_command(arguments, file);
}

Outcome Site::run_at_terminal(const std::vector<std::string>& arguments) {
    std::string line = FENCEPOST_PROGRAM;
    for (const auto& argument : arguments)
        line += fmt::format(" '{}'", argument);
    environment_["TERM"] = "xterm";
    return run_command({"script", "-qefc", fmt::format("{} --url {}", line, url()), "/dev/null"});
}

}  // namespace fencepost::test
