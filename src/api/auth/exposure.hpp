// Checks at start who can reach the API: an API that moves funds must be exposed on purpose only.
#pragma once

#include <optional>
#include <string>

#include "http/listen_address.hpp"

namespace fencepost::api {

struct Exposure {
    http::ListenAddress listen{};
    bool beyond_loopback = false;  // http.beyondLoopback
    bool has_keys = false;         // api.keysFile
    bool open_to_all = false;      // api.openToAll
    bool has_tls = false;          // http.tls.certificateFile
};

/// Throws StartupError, which says what to do, when the API is reachable from other machines, or without a key, and
/// the configuration does not allow it. Otherwise returns a warning for the operator, if there is one.
[[nodiscard]] std::optional<std::string> check_exposure(const Exposure& exposure);

}  // namespace fencepost::api
