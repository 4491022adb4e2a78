#include "cli/session.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "cli/refusal.hpp"
#include "cli/validators.hpp"
#include "config/keys/values.hpp"
#include "http/listen_address.hpp"
#include "signers/secret_file.hpp"

namespace fencepost::cli {
namespace {

std::string read_key(const SessionOptions& options) {
    if (!options.key_file.empty()) {
        const auto key = signers::read_secret_file(options.key_file);
        if (!key) throw StartupError(key.error());
        return std::string(key->expose());
    }
    const char* const value = std::getenv("FENCEPOST_API_KEY");
    return value == nullptr ? "" : value;
}

ApiOptions api_options(const SessionOptions& options) {
    ApiOptions api{.url = *jsonrpc::Url::parse(options.url),  // validated while the command line was parsed
                   .key = read_key(options),
                   .ca_file = options.ca_file,
                   .time_limit = *config::read_duration(options.time_limit)};
    if (!api.key.empty() && !api.url.uses_tls() && !http::is_loopback(api.url.host)) {
        fmt::print(stderr, "fencepost: your API key is sent to {} without encryption; use https.\n",
                   jsonrpc::display_name(api.url));
    }
    return api;
}

Document document_of(ApiAnswer answer, json::value value) {
    return {.text = std::move(answer.body), .value = std::move(value)};
}

}  // namespace

Session::Session(const SessionOptions& options)
    : screen_(Screen::of_this_process()),
      json_(options.json),
      client_(api_options(options)) {}

Result<Document, ExitCode> Session::judge(Result<ApiAnswer, jsonrpc::Failure> answer) const {
    if (!answer) {
        fmt::print(stderr, "{}", explain_no_answer(answer.error(), client_.name()));
        return err(exit_not_reached);
    }
    auto value = parse_document(answer->body);
    if (answer->is_success() && value) return document_of(*std::move(answer), *std::move(value));
    if (json_ && value) fmt::print("{}\n", answer->body);
    std::fflush(stdout);
    fmt::print(stderr, "{}", explain_refusal(*answer, client_.name()));
    return err(exit_failed);
}

Result<Document, ExitCode> Session::ask(const ApiCall& call) { return judge(client_.call(call)); }

ExitCode Session::show(const Document& document, const Render& render) const {
    fmt::print("{}", json_ ? document.text + "\n" : render(document.value, screen_.paint));
    return exit_ok;
}

ExitCode Session::ask_and_show(const ApiCall& call, const Render& render) {
    const auto answer = ask(call);
    return answer ? show(*answer, render) : answer.error();
}

void add_session_options(CLI::App& command, SessionOptions& options) {
    const std::string group = "Server";
    command.add_option("--url", options.url, "The URL of the server")
        ->type_name("URL")
        ->envname("FENCEPOST_URL")
        ->check(url_check())
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--key-file", options.key_file, "A file with your API key; default: the key in FENCEPOST_API_KEY")
        ->type_name("FILE")
        ->group(group);
    command.add_option("--ca-file", options.ca_file, "A PEM file with the certificate authority of the server")
        ->type_name("FILE")
        ->group(group);
    command.add_option("--time-limit", options.time_limit, "Maximum time of a request")
        ->type_name("DURATION")
        ->check(duration_check())
        ->capture_default_str()
        ->group(group);
    command.add_flag("--json", options.json, "Print the server's JSON unchanged");
}

}  // namespace fencepost::cli
