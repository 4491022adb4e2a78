#include <fmt/format.h>

#include "api/auth/exposure.hpp"
#include "api/auth/key_file.hpp"
#include "base/startup_error.hpp"
#include "doctor/checks.hpp"
#include "http/listener.hpp"

namespace fencepost::doctor {
namespace {

// As the node itself will judge it when it starts.
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
        const auto listener = http::open_listener(executor, listen, true);  // who may call is judged above
        return good(subject, fmt::format("{} is free", listen.to_string()));
    } catch (const StartupError& error) {
        return doubtful(subject, error.what(), "nothing, if that is this service, which runs already");
    }
}

Finding check_keys_file(const std::string& file) {
    const std::string subject = "API keys";
    const auto keys = api::read_key_file(file);
    if (!keys) return broken(subject, keys.error(), "correct api.keysFile, or make a key: fencepost apikey new");
    if (keys->empty())
        return doubtful(subject, file + " holds none: nobody may call", "fencepost apikey new makes one");
    return good(subject, fmt::format("{} of them", keys->size()));
}

}  // namespace

Findings check_listening(const Executor& executor, const config::Config& config) {
    Findings findings{check_access(config), check_address(executor, config.server.listen)};
    if (!config.keys_file.empty()) findings.push_back(check_keys_file(config.keys_file));
    return findings;
}

}  // namespace fencepost::doctor
