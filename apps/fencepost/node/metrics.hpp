// Gauges of the node, for the metrics and for the receipt monitor. They are read from the database periodically,
// because a scrape must not wait for the database.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "evm/evm_chain.hpp"
#include "ports/clock.hpp"
#include "ports/store/backlogs.hpp"
#include "ports/store/node_ability.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::node {

class NodeMetrics {
public:
    using Chains = std::vector<std::unique_ptr<evm::EvmChain>>;

    /// The window that is configured for a submitter.
    using WindowRulesOf = std::function<WindowRules(const SubmitterId&)>;

    /// For the submitters and chains that this node serves.
    NodeMetrics(Backlogs& backlog, Clock& clock, NodeId node, const Chains& chains, WindowRulesOf window_rules)
        : backlog_(backlog),
          clock_(clock),
          node_(std::move(node)),
          chains_(chains),
          window_rules_(std::move(window_rules)) {}

    /// Reads periodically until it is cancelled.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] std::vector<telemetry::GaugeReading> gauges(const NodeAbility& ability) const;
    /// The number of transactions that are not settled.
    [[nodiscard]] std::uint64_t pending() const;

private:
    Backlogs& backlog_;
    Clock& clock_;
    NodeId node_;
    const Chains& chains_;
    WindowRulesOf window_rules_;
    std::vector<SubmitterBacklog> backlogs_;
};

}  // namespace fencepost::node
