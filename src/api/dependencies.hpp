// What the API needs of a node: filled in by whoever puts the node together. Everything here is used on the executor
// of the API, and must outlive it.
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
    /// Since it was heard of.
    Duration age{};
    std::optional<Wei> base_fee{};
};

struct EndpointView {
    std::string name;   // without a secret
    std::string state;  // "in_service", or why not
    std::optional<BlockNumber> head{};
    /// Blocks behind the best endpoint.
    std::optional<std::uint64_t> lag{};
    std::optional<Duration> latency{};
};

/// A chain that this node serves.
struct ServedChain {
    std::string name;
    Chain& chain;
    /// Nothing before the first block was heard of.
    std::function<std::optional<HeadView>()> head = [] { return std::nullopt; };
    std::function<std::vector<EndpointView>()> endpoints = [] { return std::vector<EndpointView>{}; };
};

/// What is configured about submitters.
class SubmitterFacts {
public:
    virtual ~SubmitterFacts() = default;
    /// Whether there is a key, or a connector, for it. What nobody can sign for is refused at once.
    [[nodiscard]] virtual bool can_be_served(const SubmitterId& submitter) const = 0;
    /// Those with a key of their own, as far as they can be named: shown before they have sent anything.
    [[nodiscard]] virtual std::vector<SubmitterId> configured() const = 0;
    [[nodiscard]] virtual WindowRules window(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual std::uint64_t required_confirmations(const SubmitterId& submitter) const = 0;
};

/// One thing that must be in order before this node is sent requests. Chains are none: accepting needs none.
struct HealthCheck {
    std::string name;  // "database", "migrations"
    bool ok = false;
    std::string detail;
};
using MakeHealthCheck = std::function<Task<HealthCheck>()>;

struct ApiParts {
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
    Gate& gate;
    const AcceptanceRules& rules;
    const SubmitterFacts& submitters;
    std::vector<ServedChain> chains;
    NodeId node;
    std::string version;
    /// Work for this submitter was committed: wakes its lane, wherever it is (ClusterNode::accepted).
    std::function<void(const SubmitterId&)> wake_lane;
    /// Whether this node serves the submitter (ClusterNode::is_home_of). None: every node accepts for everybody, which
    /// is the default; otherwise a new transaction for another node's submitter is refused (`routing.enabled`).
    std::function<bool(const SubmitterId&)> is_home_of{};
    /// Who is to serve it while nobody does (ClusterNode::placed_on): whom a refused caller is sent to.
    std::function<std::optional<NodeId>(const SubmitterId&)> placed_on{};
    /// What the lanes of this node are able to work with (ClusterNode::ability); none: /readyz does not say.
    std::function<NodeAbility()> ability{};
    /// Asked one after the other; each bounds its own time.
    std::vector<MakeHealthCheck> health_checks{};
    /// What Prometheus reads; none: there is no /metrics.
    std::function<std::string()> metrics{};
    /// The API's description (docs/reference/openapi.json); empty: there is no /openapi.json. Not copied.
    std::string_view openapi{};
};

struct ApiOptions {
    bool require_request_id = true;
    /// Whether /metrics is shown to everybody who can reach it, for a Prometheus that has no key.
    bool open_metrics = false;
    /// Transactions that wait to be written; more are refused for the moment.
    std::size_t max_waiting_accepts = 10'000;
    std::size_t max_waiting_accept_bytes = std::size_t{64} * 1024 * 1024;
    std::size_t max_accept_batch = 500;
    /// Requests that wait for something to happen to a transaction; more are refused for the moment.
    std::size_t max_waiters = 128;  // most_waiters() of the server, or they keep others out
    Duration max_wait = std::chrono::seconds(60);
    std::size_t max_batch_items = 1'000;
    /// A node that was not heard of for so long is not listed.
    Duration node_silence = std::chrono::seconds(30);
};

}  // namespace fencepost::api
