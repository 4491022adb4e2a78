// What callers asked and what they were told. A request that was acknowledged is a promise; at the end it is held
// against store and chain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ports/store/intake.hpp"

namespace fencepost::sim {

struct Request {
    SubmitterId submitter;
    RequestId id;
    Intent intent;
    std::optional<TxId> acknowledged{};
    /// Refused for good: the submitter is protected.
    bool refused = false;

    [[nodiscard]] bool is_answered() const { return acknowledged.has_value() || refused; }
};

}  // namespace fencepost::sim
