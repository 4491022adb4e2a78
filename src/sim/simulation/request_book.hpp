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
    /// Refused for good: the submitter is protected, and nothing that was asked before can still arrive.
    bool refused = false;
    /// How often it was asked, and nobody knows yet what came of it.
    std::size_t under_way = 0;

    [[nodiscard]] bool is_answered() const { return acknowledged.has_value() || refused; }
};

}  // namespace fencepost::sim
