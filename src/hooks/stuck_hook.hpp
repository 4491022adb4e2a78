// A business's own service decides about what is stuck: it is asked over HTTP, with a signed request, and whoever does
// not answer in time, or in words we do not know, gets the default that the operator chose. Like a built-in's, its
// decision is put on record by the lane, under its fence, before anything is done.
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
    /// Known to the other side, too, and to nobody else: it can tell our requests from a stranger's.
    Secret secret{};
    Duration limit = std::chrono::seconds(5);
    /// When there is no answer, or none that we understand.
    StuckDecision otherwise = StuckDecision::wait;
};

/// The request: transaction, submitter, nonce, hash (or null), attempts, ageSeconds (or null), error. The answer is
/// expected to be {"decision": "wait" | "bump" | "filler" | "hand_to_person"}.
[[nodiscard]] std::string stuck_question(const StuckReport& report);

/// Seconds since 1970, as the sender's clock has it: an old request that somebody recorded and sends again is told by
/// it.
inline constexpr std::string_view timestamp_header = "Fencepost-Timestamp";
/// "sha256=" and, in hexadecimal, HMAC-SHA256 with the shared secret over the timestamp as sent, a dot, and the body.
inline constexpr std::string_view signature_header = "Fencepost-Signature";

class StuckHook final : public StuckPolicy {
public:
    /// Throws StartupError when there is no secret.
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
