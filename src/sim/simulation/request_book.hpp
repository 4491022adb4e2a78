// What callers requested and what they were answered. An acknowledged request is a promise: at the end of a run it is
// checked against store and chain.
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
    /// Permanently refused: the submitter is protected, and no earlier request can still arrive.
    bool refused = false;
    /// Calls whose outcome is not known yet.
    std::size_t under_way = 0;

    [[nodiscard]] bool is_answered() const { return acknowledged.has_value() || refused; }
};

}  // namespace fencepost::sim
