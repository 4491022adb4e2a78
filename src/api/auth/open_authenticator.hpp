// The door of an API that has no keys. Whoever can reach it may do everything, which on a loopback address is meant to
// be the programs of this machine. The web pages in its browser reach it, too, and are strangers' programs: they are
// kept out by what a browser says of them and no page can change.
#pragma once

#include <optional>
#include <string>

#include "api/auth/authenticator.hpp"

namespace fencepost::api {

struct OpenGateOptions {
    /// The host that it listens on: by that name or as localhost it must be called. A page whose own name was made to
    /// mean 127.0.0.1 calls it by that name (DNS rebinding). None: by any name, as through a proxy that checks who
    /// calls.
    std::optional<std::string> only_as{};
};

class OpenGate final : public Gate {
public:
    explicit OpenGate(OpenGateOptions options);

    /// Refuses what does not call it by its name, and what a browser sends for a page of another origin.
    [[nodiscard]] Result<Caller, http::Response> admit(const http::Request& request, Scope needed) override;

private:
    [[nodiscard]] bool is_own_name(std::string_view host) const;

    const OpenGateOptions options_;
};

}  // namespace fencepost::api
