// The door of an API that has keys: who shows none is not let in, and nobody gets more than their share.
#pragma once

#include <map>
#include <string>

#include "api/auth/authenticator.hpp"
#include "api/auth/key_ring.hpp"
#include "api/auth/rate_limit.hpp"

namespace fencepost::api {

struct KeyGateOptions {
    /// For each key that has no rate of its own.
    RateLimit requests{};
    /// For each address that shows no valid key. A valid one is let in also from there: many may share an address.
    RateLimit failures{.per_second = 1, .burst = 20};
};

/// Takes `Authorization: Bearer KEY` or `X-Api-Key: KEY`. A client certificate does not replace a key; it stands beside
/// its name in the audit.
class KeyGate final : public Gate {
public:
    KeyGate(KeyRing& keys, Clock& clock, Log& log, KeyGateOptions options = {});

    [[nodiscard]] Result<Caller, http::Response> admit(const http::Request& request, Scope needed) override;
    void charge(const Caller& caller, std::size_t more) override;

private:
    [[nodiscard]] http::Response refuse_stranger(const http::Request& request, std::string_view why);
    [[nodiscard]] Status<Duration> take(const ApiKey& key);
    void forget_removed_keys();

    KeyRing& keys_;
    Clock& clock_;
    Log& log_;
    const KeyGateOptions options_;
    std::map<std::string, TokenBucket, std::less<>> buckets_;  // by the key's name
    std::uint64_t generation_ = 0;
    SharedBuckets failures_;
    TokenBucket told_failures_;
};

}  // namespace fencepost::api
