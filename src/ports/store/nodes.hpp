// The registry of live nodes. It informs placement and operators; only a lease grants the right to write.
#pragma once

#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"
#include "ports/store/node_ability.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

struct NodeInfo {
    NodeId id;
    std::string address;  // where its API answers
    UnixTime started_at;
    UnixTime heartbeat_at;
    NodeAbility ability{};
};

/// All times are database times, except those in a node's own ability report.
class Nodes {
public:
    virtual ~Nodes() = default;

    /// Also deletes nodes without a heartbeat for an hour: each process start is a new node.
    [[nodiscard]] virtual Task<Status<StoreError>> heartbeat(NodeId node, std::string address, NodeAbility ability) = 0;
    [[nodiscard]] virtual Task<Status<StoreError>> leave(NodeId node) = 0;
    /// Nodes with a heartbeat within that time, by id.
    [[nodiscard]] virtual Task<Result<std::vector<NodeInfo>, StoreError>> live(Duration within) = 0;
};

}  // namespace fencepost
