#include "api/auth/key_authenticator.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "http/message/problem.hpp"

namespace fencepost::api {
namespace {

using http::problem;
using http::ProblemKind;

// Limits the log lines about refused requests, so that unauthenticated callers cannot fill the log.
constexpr RateLimit failures_in_the_log{.per_second = 1, .burst = 20};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The scheme's name is case-insensitive (RFC 9110, section 11.1).
std::optional<std::string_view> bearer_token(std::string_view authorization) {
    static constexpr std::string_view scheme = "bearer ";
    if (authorization.size() <= scheme.size()) return std::nullopt;
    if (!std::ranges::equal(authorization.substr(0, scheme.size()), scheme, {}, lower)) return std::nullopt;
    authorization.remove_prefix(authorization.find_first_not_of(' ', scheme.size()));
    return authorization;
}

/// The key that a request presents, or what is wrong with how it presents it.
Result<std::string_view, std::string_view> presented_key(const http::Headers& headers) {
    const auto authorization = headers.find("Authorization");
    const auto direct = headers.find("X-Api-Key");
    if (headers.count("Authorization") + headers.count("X-Api-Key") > 1)
        return err("The request has two API keys; send one.");
    if (direct) return *direct;
    if (!authorization)
        return err("Send an API key in the header \"Authorization: Bearer KEY\" or \"X-Api-Key: KEY\".");
    const auto token = bearer_token(*authorization);
    if (!token) return err("The header Authorization must be \"Bearer KEY\".");
    return *token;
}

http::Response slow_down(Duration wait, std::string_view detail) {
    auto response = problem(ProblemKind::rate_limited, detail);
    response.headers.add("Retry-After", retry_after(wait));
    return response;
}

std::string audit_name(const ApiKey& key, const http::Request& request) {
    if (request.client_certificate.empty()) return key.name;
    return fmt::format("{} (certificate of {})", key.name, request.client_certificate);
}

}  // namespace

KeyAuthenticator::KeyAuthenticator(KeyRing& keys, Clock& clock, Log& log, KeyAuthenticatorOptions options)
    : keys_(keys),
      clock_(clock),
      log_(log),
      options_(options),
      failures_(options.failures, clock.monotonic()),
      logged_failures_(failures_in_the_log, clock.monotonic()) {}

Result<Caller, http::Response> KeyAuthenticator::admit(const http::Request& request, Scope needed) {
    keys_.refresh();
    forget_removed_keys();
    const auto shown = presented_key(request.headers);
    if (!shown) return err(refuse_unauthenticated(request, shown.error()));
    const auto* const key = keys_.find(*shown);
    if (key == nullptr) return err(refuse_unauthenticated(request, "The API key is unknown or was revoked."));

    if (const auto taken = take(*key); !taken) {
        return err(slow_down(taken.error(), fmt::format("The API key {} is limited to {} requests per second; wait "
                                                        "and retry.",
                                                        key->name, key->rate.value_or(options_.requests).per_second)));
    }
    Caller caller{
        .name = audit_name(*key, request), .key = key->name, .scope = key->scope, .submitters = key->submitters};
    if (!caller.may(needed)) {
        return err(problem(
            ProblemKind::forbidden,
            fmt::format("The API key {} has the scope {}; this needs the scope {}.", key->name, key->scope, needed)));
    }
    return caller;
}

void KeyAuthenticator::charge(const Caller& caller, std::size_t more) {
    const auto bucket = buckets_.find(caller.key);
    if (bucket != buckets_.end()) bucket->second.charge(more, clock_.monotonic());
}

http::Response KeyAuthenticator::refuse_unauthenticated(const http::Request& request, std::string_view why) {
    const auto now = clock_.monotonic();
    if (logged_failures_.take(now)) {
        log_.write(Severity::warning, "Request without a valid API key refused",
                   {{"peer", request.peer}, {"certificate", request.client_certificate}, {"reason", std::string(why)}});
    }
    if (const auto taken = failures_.take(request.peer, now); !taken) {
        return slow_down(taken.error(), "Too many requests without a valid API key from this address.");
    }
    auto response = problem(ProblemKind::unauthorized, why);
    response.headers.add("WWW-Authenticate", R"(Bearer realm="fencepost")");
    return response;
}

Status<Duration> KeyAuthenticator::take(const ApiKey& key) {
    const auto now = clock_.monotonic();
    const auto limit = key.rate.value_or(options_.requests);
    auto bucket = buckets_.find(key.name);
    if (bucket == buckets_.end() || bucket->second.limit() != limit) {
        bucket = buckets_.insert_or_assign(key.name, TokenBucket(limit, now)).first;
    }
    return bucket->second.take(now);
}

void KeyAuthenticator::forget_removed_keys() {
    if (std::exchange(generation_, keys_.generation()) == keys_.generation()) return;
    std::erase_if(buckets_, [this](const auto& bucket) {
        return std::ranges::find(keys_.keys(), bucket.first, &ApiKey::name) == keys_.keys().end();
    });
}

}  // namespace fencepost::api
