// What the API needs from the node. The composition root fills it in. The API uses everything here on its executor, and
// everything must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/auth/authenticator.hpp"
#include "api/submit/acceptance_rules.hpp"
#include "base/async/task.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/random.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/headers.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/nodes.hpp"
#include "ports/store/queries.hpp"
#include "ports/store/relaxed_nonces.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::api {

/// The highest block that this node knows of.
struct HeadView {
    BlockNumber number;
    BlockHash hash;
    /// The time since this node received its header.
    Duration age{};
    std::optional<Wei> base_fee{};
};

struct EndpointView {
    std::string name;   // without secrets
    std::string state;  // "in_service", or the reason why it is not
    std::optional<BlockNumber> head{};
    /// Blocks behind the best endpoint.
    std::optional<std::uint64_t> lag{};
    std::optional<Duration> latency{};
};

/// A chain that this node serves.
struct ServedChain {
    std::string name;
    Chain& chain;
    /// None until the first block arrives.
    std::function<std::optional<HeadView>()> head = [] { return std::nullopt; };
    std::function<std::vector<EndpointView>()> endpoints = [] { return std::vector<EndpointView>{}; };
};

/// What is configured for submitters.
class SubmitterFacts {
public:
    virtual ~SubmitterFacts() = default;
    /// Whether a key or a connector signs for it. The API refuses every other submitter at once.
    [[nodiscard]] virtual bool can_be_served(const SubmitterId& submitter) const = 0;
    /// The submitters with a configured key, as far as they are known: listed before they have sent a transaction.
    [[nodiscard]] virtual std::vector<SubmitterId> configured() const = 0;
    [[nodiscard]] virtual WindowRules window(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual std::uint64_t required_confirmations(const SubmitterId& submitter) const = 0;
};

/// A condition for this node to receive requests. Chains are not included: accepting a transaction needs none.
struct HealthCheck {
    std::string name;  // "database", "migrations"
    bool ok = false;
    std::string detail;
};
using MakeHealthCheck = std::function<Task<HealthCheck>()>;

struct ApiDependencies {
    Intake& intake;
    Queries& queries;
    Commands& commands;
    Nodes& nodes;
    Headers& headers;
    RelaxedNonces& relaxed_nonces;
    Clock& clock;
    Random& random;
    Telemetry& telemetry;
    Log& log;
    Authenticator& authenticator;
    const AcceptanceRules& rules;
    const SubmitterFacts& submitters;
    std::vector<ServedChain> chains;
    NodeId node;
    std::string version;
    /// Called after work for this submitter was committed: wakes its lane on whichever node it runs
    std::function<void(const SubmitterId&)> wake_lane;
    /// Whether this node serves the submitter (ClusterNode::is_home_of). None, the default: every node accepts for all
    /// submitters. Otherwise the API refuses a new transaction for a submitter of another node (`routing.enabled`).
    std::function<bool(const SubmitterId&)> is_home_of{};
    /// The node that should serve a submitter without a lease (ClusterNode::placed_on): the refusal names it.
    std::function<std::optional<NodeId>(const SubmitterId&)> placed_on{};
    /// What the lanes of this node can use (ClusterNode::ability); none: /readyz does not report it.
    std::function<NodeAbility()> ability{};
    /// Run one after another; each limits its own time.
    std::vector<MakeHealthCheck> health_checks{};
    /// The Prometheus text; none: there is no /metrics.
    std::function<std::string()> metrics{};
    /// The OpenAPI document (docs/reference/openapi.json); empty: there is no /openapi.json. Not copied.
    std::string_view openapi{};
};

struct ApiOptions {
    bool require_request_id = true;
    /// Serves /metrics without authentication, for a Prometheus that has no key.
    bool open_metrics = false;
    /// Transactions that wait for a commit; more are refused with 503.
    std::size_t max_waiting_accepts = 10'000;
    std::size_t max_waiting_accept_bytes = std::size_t{64} * 1024 * 1024;
    std::size_t max_accept_batch = 500;
    /// Requests that wait for a transaction to change; more are refused with 503.
    std::size_t max_waiters = 128;  // see waiter_limit(): waiting requests must not block the others
    Duration max_wait = std::chrono::seconds(60);
    std::size_t max_batch_items = 1'000;
    /// A node without a heartbeat for this long is not listed.
    Duration node_silence = std::chrono::seconds(30);
};

}  // namespace fencepost::api
