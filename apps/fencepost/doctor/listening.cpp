#include <fmt/format.h>

#include "api/auth/exposure.hpp"
#include "api/auth/key_file.hpp"
#include "base/startup_error.hpp"
#include "doctor/checks.hpp"
#include "http/listener.hpp"

namespace fencepost::doctor {
namespace {

// The same check that the node makes at start.
Finding check_access(const config::Config& config) {
    const std::string subject = "access";
    try {
        const auto warning = api::check_exposure({.listen = config.server.listen,
                                                  .beyond_loopback = config.server.beyond_loopback,
                                                  .has_keys = !config.keys_file.empty(),
                                                  .open_to_all = config.open_to_all,
                                                  .has_tls = !config.tls.certificate.empty()});
        if (warning) return doubtful(subject, *warning, "");
        return good(subject, config.keys_file.empty() ? "without keys, from this machine only" : "by API key");
    } catch (const StartupError& error) {
        return broken(subject, error.what(), "");
    }
}

Finding check_address(const Executor& executor, const http::ListenAddress& listen) {
    const std::string subject = "listening";
    try {
        const auto listener = http::open_listener(executor, listen, true);  // access is checked above
        return good(subject, fmt::format("{} is free", listen.to_string()));
    } catch (const StartupError& error) {
        return doubtful(subject, error.what(), "nothing, if this service is already running there");
    }
}

Finding check_keys_file(const std::string& file) {
    const std::string subject = "API keys";
    const auto keys = api::read_key_file(file);
    if (!keys) return broken(subject, keys.error(), "correct api.keysFile, or create a key: fencepost apikey new");
    if (keys->empty())
        return doubtful(subject, file + " has no keys: every request is refused", "create a key: fencepost apikey new");
    return good(subject, fmt::format("{} configured", keys->size()));
}

}  // namespace

Findings check_listening(const Executor& executor, const config::Config& config) {
    Findings findings{check_access(config), check_address(executor, config.server.listen)};
    if (!config.keys_file.empty()) findings.push_back(check_keys_file(config.keys_file));
    return findings;
}

}  // namespace fencepost::doctor
