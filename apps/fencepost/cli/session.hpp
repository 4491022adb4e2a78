// What all commands over the API share: the server's address, how responses are shown and errors explained, and the
// exit code.
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
    std::string text;  // as the server sent it
    json::value value;
};

/// Formats a response for display.
using Render = std::function<std::string(const json::value&, const Paint&)>;

class Session {
public:
    /// Throws StartupError for a file that cannot be read.
    explicit Session(const SessionOptions& options);

    [[nodiscard]] bool is_json() const { return json_; }
    [[nodiscard]] const Screen& screen() const { return screen_; }
    [[nodiscard]] ApiClient& client() { return client_; }

    /// The document of a successful response. Any other result is explained on stderr, and the error is the exit code;
    /// with --json, the server's problem document goes to stdout as well.
    [[nodiscard]] Result<Document, ExitCode> ask(const ApiCall& call);
    [[nodiscard]] Result<Document, ExitCode> judge(Result<ApiAnswer, jsonrpc::Failure> answer) const;

    /// Prints the document as it is, or formatted for display.
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

/// Adds a command over the API with its own options, whose member `session` holds the session's options.
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
