// What the API is told of the node it stands before: its submitters, its chains, and whether it is well.
#pragma once

#include <vector>

#include "api/dependencies.hpp"
#include "config/config.hpp"
#include "node/database.hpp"
#include "node/head_watch.hpp"
#include "node/keys.hpp"
#include "node/worker.hpp"

namespace fencepost::node {

class ConfiguredSubmitters final : public api::SubmitterFacts {
public:
    ConfiguredSubmitters(const config::Config& config, const NodeKeys& keys, Worker& front)
        : config_(config),
          keys_(keys),
          front_(front) {}

    [[nodiscard]] bool can_be_served(const SubmitterId& submitter) const override;
    [[nodiscard]] std::vector<SubmitterId> configured() const override;
    [[nodiscard]] WindowRules window(const SubmitterId& submitter) const override;
    [[nodiscard]] std::uint64_t required_confirmations(const SubmitterId& submitter) const override;

private:
    const config::Config& config_;
    const NodeKeys& keys_;
    Worker& front_;
};

/// The chains of the front worker, with their watches; both in the order of the configuration.
[[nodiscard]] std::vector<api::ServedChain> served_chains(const config::Config& config, Worker& front,
                                                          const std::vector<std::unique_ptr<HeadWatch>>& watches);

/// Database and migrations: what accepting needs. It needs no chain; how those are is told by ClusterNode::ability().
[[nodiscard]] std::vector<api::MakeHealthCheck> health_checks(Worker& front, Database& database);

}  // namespace fencepost::node
