// Which nodes are there. A hint for placement and for people; only a lease says who may write.
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

/// By database time throughout, but for what a node says of its own ability.
class Nodes {
public:
    virtual ~Nodes() = default;

    /// Also forgets nodes that were not heard of for an hour: each start of a process is another node.
    [[nodiscard]] virtual Task<Status<StoreError>> heartbeat(NodeId node, std::string address, NodeAbility ability) = 0;
    [[nodiscard]] virtual Task<Status<StoreError>> leave(NodeId node) = 0;
    /// Those that were heard of within that time, by id.
    [[nodiscard]] virtual Task<Result<std::vector<NodeInfo>, StoreError>> live(Duration within) = 0;
};

}  // namespace fencepost
