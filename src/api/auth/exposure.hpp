// Who can reach the API, judged at start: an open door to everybody's money must be opened on purpose.
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

/// Throws StartupError, which says what to do, when others than this machine could call and nobody said that they may,
/// or could call without a key and nobody said that they may do that. Otherwise what an operator should be warned of,
/// in a sentence, if there is anything.
[[nodiscard]] std::optional<std::string> check_exposure(const Exposure& exposure);

}  // namespace fencepost::api
