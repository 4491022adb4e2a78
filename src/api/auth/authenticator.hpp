// The door of the API: who comes in, and whether they may ask for this.
#pragma once

#include "api/auth/caller.hpp"
#include "base/result.hpp"
#include "http/message/message.hpp"

namespace fencepost::api {

class Gate {
public:
    virtual ~Gate() = default;
    /// The caller, or the answer that refuses them: 401, 403 or 429.
    [[nodiscard]] virtual Result<Caller, http::Response> admit(const http::Request& request, Scope needed) = 0;
    /// What an admitted caller brought was as much as so many more requests; it counts against those to come.
    virtual void charge(const Caller& /*caller*/, std::size_t /*more*/) {}
};

}  // namespace fencepost::api
