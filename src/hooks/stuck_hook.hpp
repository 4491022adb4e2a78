// Asks an operator's own HTTP service to decide about stuck transactions, with a signed request. No answer in time, or
// an invalid one, means the configured default. As with built-in policies, the lane records the decision under its
// fence before acting on it.
#pragma once

#include <chrono>
#include <string>

#include "base/crypto/secret.hpp"
#include "ports/clock.hpp"
#include "ports/http_poster.hpp"
#include "ports/log.hpp"
#include "ports/stuck_policy.hpp"

namespace fencepost::hooks {

struct StuckHookOptions {
    /// Shared with the receiving service only: it proves that a request comes from Fencepost.
    Secret secret{};
    Duration limit = std::chrono::seconds(5);
    /// The decision when there is no valid answer.
    StuckDecision default_decision = StuckDecision::wait;
};

/// The request: transaction, submitter, nonce, hash (or null), attempts, ageSeconds (or null), error. The expected
/// answer is {"decision": "wait" | "bump" | "filler" | "hand_to_person"}.
[[nodiscard]] std::string stuck_request(const StuckReport& report);

/// Seconds since 1970 by the sender's clock, so that the receiver can reject replayed requests.
inline constexpr std::string_view timestamp_header = "Fencepost-Timestamp";
/// "sha256=" and, in hexadecimal, HMAC-SHA256 with the shared secret over the timestamp as sent, a dot, and the body.
inline constexpr std::string_view signature_header = "Fencepost-Signature";

class StuckHook final : public StuckPolicy {
public:
    /// Throws StartupError when the secret is empty.
    StuckHook(HttpPoster& poster, Clock& clock, Log& log, StuckHookOptions options);

    [[nodiscard]] Task<StuckDecision> decide(StuckReport report) override;

private:
    [[nodiscard]] HttpPost sign(std::string body) const;

    HttpPoster& poster_;
    Clock& clock_;
    Log& log_;
    StuckHookOptions options_;
};

}  // namespace fencepost::hooks
