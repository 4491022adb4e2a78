// Adapts the node for the API: its submitters, its chains, and its health.
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

/// The chains of the front worker, with their head watches; both in configuration order.
[[nodiscard]] std::vector<api::ServedChain> served_chains(const config::Config& config, Worker& front,
                                                          const std::vector<std::unique_ptr<HeadWatch>>& watches);

/// Database and migrations, which accepting needs. Accepting needs no chain; ClusterNode::ability() reports on those.
[[nodiscard]] std::vector<api::MakeHealthCheck> health_checks(Worker& front, Database& database);

}  // namespace fencepost::node
