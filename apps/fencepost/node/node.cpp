#include "node/node.hpp"

#include <exception>
#include <list>
#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>

#include "alerts/alert_deduplicator.hpp"
#include "alerts/alerting_log.hpp"
#include "alerts/log_sink.hpp"
#include "alerts/watched_telemetry.hpp"
#include "alerts/webhook_sink.hpp"
#include "api/api.hpp"
#include "api/auth/exposure.hpp"
#include "api/auth/key_authenticator.hpp"
#include "api/auth/key_ring.hpp"
#include "api/auth/open_authenticator.hpp"
#include "api/openapi_document.hpp"
#include "api/query/submitter_policy.hpp"
#include "api/query/tx_waiter.hpp"
#include "base/async/caught.hpp"
#include "base/async/wakeup.hpp"
#include "base/startup_error.hpp"
#include "cluster/cluster_node.hpp"
#include "cluster/node_identity.hpp"
#include "http/routes/routes.hpp"
#include "http/server.hpp"
#include "node/api_adapters.hpp"
#include "node/database.hpp"
#include "node/metrics.hpp"
#include "node/node_log.hpp"
#include "node/threads.hpp"
#include "node/worker.hpp"
#include "telemetry/prometheus_telemetry.hpp"

namespace fencepost::node {
namespace {

using namespace asio::experimental::awaitable_operators;

/// Maximum time for handing lanes over at shutdown. The remaining lanes are taken over when their leases expire.
constexpr auto max_handover_time = std::chrono::seconds(15);

NodeId new_id(const std::string& name, Random& random) {
    auto id = cluster::new_incarnation(name, random);
    if (!id) throw StartupError("node.name: " + id.error().what);
    return *std::move(id);
}

}  // namespace

struct Node::Impl {
    Impl(asio::io_context& where, config::Config given, NodeExtras extras);

    [[nodiscard]] Shared shared() {
        return {.config = config,
                .id = id,
                .database = *database,
                .keys = keys,
                .telemetry = telemetry,
                .log = log.alerting(),
                .alerts = log.alerts(),
                .announce = [this](std::vector<api::TxChange> changes) {
                    asio::post(context, [this, changes = std::move(changes)] { api->announce(changes); });
                }};
    }
    [[nodiscard]] lane::LaneShards make_shards();
    [[nodiscard]] std::unique_ptr<api::KeyRing> make_key_ring();
    [[nodiscard]] std::unique_ptr<api::Authenticator> make_authenticator();
    [[nodiscard]] const SubmitterPolicy* policy_of(const SubmitterId& submitter) const;
    [[nodiscard]] api::ApiDependencies api_dependencies();
    /// None: every node accepts for all submitters.
    [[nodiscard]] std::function<bool(const SubmitterId&)> make_is_home_of();
    [[nodiscard]] http::ServerOptions server_options();
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::string own_address() const;

    [[nodiscard]] Task<void> run();
    void start(TaskGroup& background);
    [[nodiscard]] Task<void> run_critical(Task<void> part);
    [[nodiscard]] Task<void> leave();
    void fail(std::exception_ptr error);

    asio::io_context& context;
    const config::Config config;
    SystemClock clock;
    SystemRandom random;
    const NodeId id;
    NodeLog log;
    telemetry::PrometheusTelemetry metrics;
    alerts::WatchedTelemetry telemetry;
    std::unique_ptr<Database> database;
    NodeKeys keys;
    Worker front;
    NodeMetrics node_metrics;
    std::list<WorkerThread> threads;
    lane::LaneShards shards;
    std::vector<std::unique_ptr<HeadWatch>> watches;
    /// None: no API key is required.
    std::unique_ptr<api::KeyRing> key_ring;
    std::unique_ptr<api::Authenticator> authenticator;
    api::PolicyRules rules;
    ConfiguredSubmitters submitters;
    std::unique_ptr<cluster::ClusterNode> cluster;
    std::unique_ptr<api::Api> api;
    http::Router router;
    std::unique_ptr<http::Server> server;
    Wakeup stopped;
    std::exception_ptr failure;
};

Node::Impl::Impl(asio::io_context& where, config::Config given, NodeExtras extras)
    : context(where),
      config(std::move(given)),
      id(new_id(config.node_name, random)),
      log(where.get_executor(), clock, config, id, extras.log_descriptor),
      telemetry(
          metrics, clock, log.alerts(), [this] { return node_metrics.pending(); }, config.alerting.watch),
      database(open_database(config.database, where.get_executor(), clock, random, log.plain())),
      keys(config.signers, std::move(extras.keys), log.plain()),
      front(where.get_executor(), shared()),
      node_metrics(front.store(), clock, id, front.chains(),
                   [this](const SubmitterId& submitter) { return submitters.window(submitter); }),
      shards(make_shards()),
      key_ring(make_key_ring()),
      authenticator(make_authenticator()),
      rules([this](const SubmitterId& submitter) { return policy_of(submitter); }),
      submitters(config, keys, front),
      stopped(where.get_executor()) {
    for (const auto& chain : front.chains())
        watches.push_back(std::make_unique<HeadWatch>(*chain, clock));
    api = std::make_unique<api::Api>(where.get_executor(), api_dependencies(),
                                     api::ApiOptions{.require_request_id = config.require_request_id,
                                                     .open_metrics = config.open_metrics,
                                                     .max_waiting_accepts = config.max_waiting,
                                                     .max_waiters = api::waiter_limit(config.server)});
    router.add(http::routes::livez());
    for (auto& route : api->routes())
        router.add(std::move(route));
    server = std::make_unique<http::Server>(where.get_executor(), clock, router, server_options());
    cluster = std::make_unique<cluster::ClusterNode>(
        where.get_executor(), id, own_address(),
        cluster::ClusterNode::Dependencies{.queries = front.store(),
                                           .nodes = front.store(),
                                           .wakeups = database->wakeups(),
                                           .signer = front.signer(),
                                           .shards = shards,
                                           .clock = clock,
                                           .log = log.alerting(),
                                           .connector = &front.connector(),
                                           .alerts = &log.alerts()},
        [this](const SubmitterId& submitter) -> std::optional<lane::LaneOptions> {
            const auto* lane = config.lane_of(submitter);
            return lane == nullptr ? std::nullopt : std::optional(*lane);
        },
        config.cluster);
}

lane::LaneShards Node::Impl::make_shards() {
    std::vector<lane::LaneShards::Shard> all{{front.executor(), &front.host()}};
    for (std::size_t i = 1; i < config.threads; ++i) {
        auto& thread = threads.emplace_back(shared(), [this](std::exception_ptr error) {
            asio::post(context, [this, error = std::move(error)] { fail(error); });
        });
        all.push_back({thread.worker().executor(), &thread.worker().host()});
    }
    return lane::LaneShards(std::move(all));
}

std::unique_ptr<api::KeyRing> Node::Impl::make_key_ring() {
    const auto warning = api::check_exposure({.listen = config.server.listen,
                                              .beyond_loopback = config.server.beyond_loopback,
                                              .has_keys = !config.keys_file.empty(),
                                              .open_to_all = config.open_to_all,
                                              .has_tls = !config.tls.certificate.empty()});
    if (warning) log.plain().write(Severity::warning, *warning, {});
    if (config.keys_file.empty()) return nullptr;
    return std::make_unique<api::KeyRing>(config.keys_file, clock, log.plain());
}

std::unique_ptr<api::Authenticator> Node::Impl::make_authenticator() {
    if (!key_ring) {
        const bool any_name = config.open_to_all || !http::is_loopback(config.server.listen.host);
        return std::make_unique<api::OpenAuthenticator>(api::OpenAuthenticatorOptions{
            .only_as = any_name ? std::nullopt : std::optional(config.server.listen.host)});
    }
    return std::make_unique<api::KeyAuthenticator>(*key_ring, clock, log.plain(),
                                                   api::KeyAuthenticatorOptions{.requests = config.rate_limit});
}

const SubmitterPolicy* Node::Impl::policy_of(const SubmitterId& submitter) const {
    const auto* lane = config.lane_of(submitter);
    return lane != nullptr && lane->policy ? &*lane->policy : nullptr;
}

api::ApiDependencies Node::Impl::api_dependencies() {
    auto& store = front.store();
    return {.intake = store,
            .queries = store,
            .commands = store,
            .nodes = store,
            .headers = store,
            .relaxed_nonces = store,
            .clock = clock,
            .random = random,
            .telemetry = telemetry,
            .log = log.plain(),
            .authenticator = *authenticator,
            .rules = rules,
            .submitters = submitters,
            .chains = served_chains(config, front, watches),
            .node = id,
            .version = FENCEPOST_VERSION,
            .wake_lane = [this](const SubmitterId& submitter) { cluster->accepted(submitter); },
            .is_home_of = make_is_home_of(),
            .placed_on = [this](const SubmitterId& submitter) { return cluster->placed_on(submitter); },
            .ability = [this] { return cluster->ability(); },
            .health_checks = health_checks(front, *database),
            .metrics = [this] { return metrics.exposition(node_metrics.gauges(cluster->ability())); },
            .openapi = api::openapi_document()};
}

std::function<bool(const SubmitterId&)> Node::Impl::make_is_home_of() {
    if (!config.routing) return {};
    return [this](const SubmitterId& submitter) { return cluster->is_home_of(submitter); };
}

http::ServerOptions Node::Impl::server_options() {
    auto options = config.server;
    if (!config.tls.certificate.empty()) options.tls = config.tls;
    options.on_fault = [this](std::string_view what) {
        log.plain().write(Severity::alert, "Request handler failed", {{"error", std::string(what)}});
    };
    return options;
}

std::string Node::Impl::url() const {
    return (config.tls.certificate.empty() ? "http://" : "https://") + server->address().to_string();
}

std::string Node::Impl::own_address() const { return config.node_address.empty() ? url() : config.node_address; }

// The first permanent failure of a part ends the node: a partly working node would keep its leases from other nodes.
void Node::Impl::fail(std::exception_ptr error) {
    if (!failure) {
        failure =
            error ? std::move(error) : std::make_exception_ptr(StartupError("a worker thread ended unexpectedly"));
    }
    stopped.notify();
}

Task<void> Node::Impl::run_critical(Task<void> part) {
    const auto ended = co_await caught(std::move(part));
    if (ended) co_return;
    // The server clears its cancellation to shut down in order; this exception is the only sign of it.
    if (!is_cancellation(ended.error())) fail(ended.error());
}

void Node::Impl::start(TaskGroup& background) {
    for (auto& thread : threads)
        thread.start();
    background.spawn(run_critical(log.run()));
    background.spawn(run_critical(telemetry.run()));
    background.spawn(run_critical(database->run()));
    background.spawn(run_critical(front.run()));
    background.spawn(run_critical(node_metrics.run()));
    for (const auto& watch : watches)
        background.spawn(run_critical(watch->run()));
    background.spawn(run_critical(cluster->run()));
    background.spawn(run_critical(api->run()));
}

Task<void> Node::Impl::leave() { co_await (cluster->leave() || clock.sleep_for(max_handover_time)); }

Task<void> Node::Impl::run() {
    TaskGroup background(context.get_executor());
    TaskGroup serving(context.get_executor());
    start(background);
    serving.spawn(run_critical(server->run()));
    co_await stopped.wait();

    api->stop_waiting();
    serving.cancel();
    co_await serving.join();
    // After a failure, skip the handover: other nodes take the lanes over from the database when the leases expire.
    if (!failure) co_await leave();
    background.cancel();
    co_await background.join();
    threads.clear();
    if (failure) std::rethrow_exception(failure);
}

Node::Node(asio::io_context& context, config::Config config, NodeExtras extras)
    : impl_(std::make_unique<Impl>(context, std::move(config), std::move(extras))) {}
Node::~Node() = default;

std::string Node::url() const { return impl_->url(); }
Store& Node::store() { return impl_->front.store(); }
Task<void> Node::run() { return impl_->run(); }
void Node::stop() { impl_->stopped.notify(); }

}  // namespace fencepost::node
