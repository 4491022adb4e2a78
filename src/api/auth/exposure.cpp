#include "api/auth/exposure.hpp"

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::api {
namespace {

[[noreturn]] void refuse(const http::ListenAddress& listen, std::string_view why) {
    throw StartupError(fmt::format("will not listen on {}: {}", listen.to_string(), why));
}

}  // namespace

std::optional<std::string> check_exposure(const Exposure& exposure) {
    if (http::is_loopback(exposure.listen.host)) return std::nullopt;
    if (!exposure.beyond_loopback) {
        refuse(exposure.listen,
               "other machines could reach the API; set http.beyondLoopback to true to allow that, or listen on "
               "127.0.0.1");
    }
    if (!exposure.has_keys && !exposure.open_to_all) {
        refuse(exposure.listen,
               "every program that reaches it could send transactions; create a key (fencepost apikey new --keys FILE "
               "--name NAME "
               "--scope write) and set api.keysFile, or, if a proxy authenticates the callers, set "
               "api.openToAll to true");
    }
    if (!exposure.has_keys)
        return "the API requires no keys (api.openToAll): every program that reaches it may use all of it";
    if (!exposure.has_tls) {
        return "API keys are sent unencrypted: set http.tls.certificateFile, or let a proxy on this machine terminate "
               "TLS";
    }
    return std::nullopt;
}

}  // namespace fencepost::api
