// Authenticates callers by API key and limits the rate of each key.
#pragma once

#include <map>
#include <string>

#include "api/auth/authenticator.hpp"
#include "api/auth/key_ring.hpp"
#include "api/auth/rate_limit.hpp"

namespace fencepost::api {

struct KeyAuthenticatorOptions {
    /// For each key without a limit of its own.
    RateLimit requests{};
    /// For each address that presents no valid key. A valid key is admitted from there too: many callers may share an
    /// address.
    RateLimit failures{.per_second = 1, .burst = 20};
};

/// Accepts `Authorization: Bearer KEY` or `X-Api-Key: KEY`. A client certificate does not replace the key; its name
/// is added to the caller's name in the audit log.
class KeyAuthenticator final : public Authenticator {
public:
    KeyAuthenticator(KeyRing& keys, Clock& clock, Log& log, KeyAuthenticatorOptions options = {});

    [[nodiscard]] Result<Caller, http::Response> admit(const http::Request& request, Scope needed) override;
    void charge(const Caller& caller, std::size_t more) override;

private:
    [[nodiscard]] http::Response refuse_unauthenticated(const http::Request& request, std::string_view why);
    [[nodiscard]] Status<Duration> take(const ApiKey& key);
    void forget_removed_keys();

    KeyRing& keys_;
    Clock& clock_;
    Log& log_;
    const KeyAuthenticatorOptions options_;
    std::map<std::string, TokenBucket, std::less<>> buckets_;  // by the key's name
    std::uint64_t generation_ = 0;
    SharedBuckets failures_;
    TokenBucket logged_failures_;
};

}  // namespace fencepost::api
