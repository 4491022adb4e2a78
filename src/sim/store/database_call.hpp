// A call in transit between a node and the database, and its answer.
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
    SimNode* caller = nullptr;  // dead nodes stay in the world, so this never dangles
    Effect effect{};
    CallPlan plan{};
    UnixTime asked_at;
    bool left = true;          // the request left the node
    bool timed_out = false;    // the caller has stopped waiting
    std::uint64_t outage = 0;  // number of the last outage before it arrived
};
using CallPtr = std::shared_ptr<DatabaseCall>;

/// How an answer travels: delivered, replaced by a broken connection, or lost.
enum class AnswerDelivery { open, breaks, silent };

/// Shared by the caller and the answer in transit: either may end before the other.
template <typename T>
struct Reply {
    explicit Reply(const fencepost::Executor& executor) : bell(executor) {}
    Wakeup bell;
    std::optional<Result<T, StoreError>> answer;
};

}  // namespace fencepost::sim
