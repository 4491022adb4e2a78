// The authenticator of an API without keys. Every program that can reach it may do everything; on a loopback address
// these are meant to be the programs of this machine. Web pages in a browser on this machine can reach it, too. They
// are refused by headers that the browser sets and no page can change.
#pragma once

#include <optional>
#include <string>

#include "api/auth/authenticator.hpp"

namespace fencepost::api {

struct OpenAuthenticatorOptions {
    /// The host that the API listens on. A request must address it by that name or as localhost, because a page whose
    /// own domain resolves to 127.0.0.1 addresses it by that domain (DNS rebinding). None: any name is accepted, for a
    /// proxy that authenticates callers.
    std::optional<std::string> only_as{};
};

class OpenAuthenticator final : public Authenticator {
public:
    explicit OpenAuthenticator(OpenAuthenticatorOptions options);

    /// Refuses a request for another host name, and a request that a browser sends for a page of another origin.
    [[nodiscard]] Result<Caller, http::Response> admit(const http::Request& request, Scope needed) override;

private:
    [[nodiscard]] bool is_own_name(std::string_view host) const;

    const OpenAuthenticatorOptions options_;
};

}  // namespace fencepost::api
