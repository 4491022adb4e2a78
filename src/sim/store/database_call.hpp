// A call on its way between a node and the database, and what comes back of it.
#pragma once

#include <memory>
#include <optional>

#include "base/async/wakeup.hpp"
#include "base/result.hpp"
#include "ports/store/store_error.hpp"
#include "sim/sim_node.hpp"
#include "sim/store/database_faults.hpp"

namespace fencepost::sim {

struct DatabaseCall {
    SimNode* caller = nullptr;  // dead ones stay with the world, so this is never dangling
    Effect effect{};
    CallPlan plan{};
    UnixTime asked_at;
    bool left = true;          // something of it went out
    bool given_up = false;     // the caller does not wait any more
    std::uint64_t outage = 0;  // the number of the last one before it arrived
};
using CallPtr = std::shared_ptr<DatabaseCall>;

/// What becomes of an answer: it is given, or the caller sees the connection break instead, or hears nothing.
enum class WayBack { open, breaks, silent };

/// Shared by the caller and the answer under way: either may be gone before the other.
template <typename T>
struct Reply {
    explicit Reply(const fencepost::Executor& executor) : bell(executor) {}
    Wakeup bell;
    std::optional<Result<T, StoreError>> answer;
};

}  // namespace fencepost::sim
