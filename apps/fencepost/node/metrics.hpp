// What is true now, for the metrics and for the watch over receipts: read from the database now and then, because
// whoever asks for metrics must not wait for it.
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

class Figures {
public:
    using Chains = std::vector<std::unique_ptr<evm::EvmChain>>;

    /// What is configured for a submitter.
    using WindowRulesOf = std::function<WindowRules(const SubmitterId&)>;

    /// Of the submitters that this node serves, and of its chains.
    Figures(Backlogs& backlog, Clock& clock, NodeId node, const Chains& chains, WindowRulesOf window_rules)
        : backlog_(backlog),
          clock_(clock),
          node_(std::move(node)),
          chains_(chains),
          window_rules_(std::move(window_rules)) {}

    /// Reads, until it is cancelled.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] std::vector<telemetry::GaugeReading> gauges(const NodeAbility& ability) const;
    /// How many transactions wait for their verdict.
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
