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
               "others than this machine could call; set http.beyondLoopback to true if they should, or listen on "
               "127.0.0.1");
    }
    if (!exposure.has_keys && !exposure.open_to_all) {
        refuse(exposure.listen,
               "whoever reaches it could send transactions; make a key (fencepost apikey new --keys FILE --name NAME "
               "--scope write) and name the file in api.keysFile, or, if something before it checks who calls, set "
               "api.openToAll to true");
    }
    if (!exposure.has_keys) return "whoever reaches the API may use all of it: it has no keys (api.openToAll)";
    if (!exposure.has_tls) {
        return "API keys travel in the clear: set http.tls.certificateFile, or let a proxy on this machine speak TLS";
    }
    return std::nullopt;
}

}  // namespace fencepost::api
