// Authenticates and authorises the callers of the API.
#pragma once

#include "api/auth/caller.hpp"
#include "base/result.hpp"
#include "http/message/message.hpp"

namespace fencepost::api {

class Authenticator {
public:
    virtual ~Authenticator() = default;
    /// The caller, or the response that refuses it: 401, 403 or 429.
    [[nodiscard]] virtual Result<Caller, http::Response> admit(const http::Request& request, Scope needed) = 0;
    /// Charges an admitted caller's rate limit for `more` further requests, as for the items of a batch.
    virtual void charge(const Caller& /*caller*/, std::size_t /*more*/) {}
};

}  // namespace fencepost::api
