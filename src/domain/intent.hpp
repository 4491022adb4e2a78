// The caller's request. It is stored once and never changes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// The urgency, when the caller leaves the price to the fee oracle.
enum class Speed { slow, normal, fast };
FP_ENUM_NAMES(Speed, as_written, slow, normal, fast)

struct Intent {
    /// The destination in its chain's canonical form (an EVM address in lower case); none for a deployment.
    std::optional<std::string> to;
    Wei value;
    Bytes data;
    /// A gas limit from the caller skips the simulation.
    std::optional<Gas> gas_limit;
    std::variant<Speed, Fees> fee = Speed::normal;
    /// No nonce is allocated after this time: a stale payout is never sent.
    std::optional<UnixTime> valid_until;

    friend bool operator==(const Intent&, const Intent&) = default;
};

using Fingerprint = std::array<std::uint8_t, 32>;

/// Equal exactly for equal intents: distinguishes a repeated request from a reused request id with another body.
[[nodiscard]] Fingerprint fingerprint(const Intent& intent);

}  // namespace fencepost
