// What every command over the API shares: which server it asks, how it shows answers and explains refusals, and the
// exit code that follows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <boost/json/value.hpp>

#include "cli/api_client.hpp"
#include "cli/json_fields.hpp"
#include "cli/paint.hpp"
#include "commands.hpp"

namespace fencepost::cli {

struct SessionOptions {
    std::string url = "http://127.0.0.1:8646";
    std::string key_file{};
    std::string ca_file{};
    std::string time_limit = "30s";
    bool json = false;
};

struct Document {
    std::string text;  // as the server wrote it
    json::value value;
};

/// How an answer looks to people.
using Render = std::function<std::string(const json::value&, const Paint&)>;

class Session {
public:
    /// Throws StartupError for what cannot be read.
    explicit Session(const SessionOptions& options);

    [[nodiscard]] bool is_json() const { return json_; }
    [[nodiscard]] const Screen& screen() const { return screen_; }
    [[nodiscard]] ApiClient& client() { return client_; }

    /// The document of a success. Anything else has been explained on stderr, and the exit code is the error; with
    /// --json the server's problem document is on stdout then.
    [[nodiscard]] Result<Document, ExitCode> ask(const ApiCall& call);
    [[nodiscard]] Result<Document, ExitCode> judge(Result<ApiAnswer, jsonrpc::Failure> answer) const;

    /// The document as it is, or as people read it.
    ExitCode show(const Document& document, const Render& render) const;
    /// ask() and show().
    ExitCode ask_and_show(const ApiCall& call, const Render& render);

private:
    Screen screen_;
    bool json_;
    ApiClient client_;
};

/// Adds the options of a session to a command.
void add_session_options(CLI::App& command, SessionOptions& options);

/// A command over the API with options of its own, which hold those of the session in `session`.
template <typename Options>
CLI::App* add_command(CLI::App& parent, Work& chosen, const std::string& name, const std::string& what,
                      const std::shared_ptr<Options>& options, ExitCode (*work)(Session&, const Options&)) {
    auto* command = parent.add_subcommand(name, what);
    add_session_options(*command, options->session);
    command->callback([&chosen, options, work] {
        chosen = [options, work] {
            const auto session = std::make_unique<Session>(options->session);
            return work(*session, *options);
        };
    });
    return command;
}

}  // namespace fencepost::cli
