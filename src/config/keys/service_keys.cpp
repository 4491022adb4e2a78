// Configuration keys of a node as a whole: API, database, leases, cluster, alerts and logging.
#include "config/keys/keys.hpp"

namespace fencepost::config {
namespace {

using cluster::AbilityOptions;
using cluster::ClusterOptions;
using cluster::PlanOptions;
using cluster::RegistryOptions;
using http::ServerOptions;
using http::TimeLimits;
using lane::HostOptions;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using store::PostgresOptions;
using store::pg::ConnectionOptions;

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t gibibyte = kibibyte * kibibyte * kibibyte;

auto limit() { return duration(milliseconds(100), hours(1)); }

void add_server(Keys<Config>& table) {
    const auto server = [](auto... members) { return at(&Config::server, members...); };
    const auto allowed = [](auto member) { return at(&Config::server, &ServerOptions::time, member); };
    add(table, "listen", listen_address(), server(&ServerOptions::listen), "Address on which the HTTP API listens.");
    add(table, "node.name", text(), at(&Config::node_name), "Name of this node in logs and leases.");
    add(table, "node.address", text(), at(&Config::node_address),
        "Address at which other nodes reach its API; without it, the listen address.");
    add(table, "node.threads", count(1, 256), at(&Config::threads),
        "Number of threads that serve submitters; each has its own connections to database and chains.");
    add(table, "http.beyondLoopback", on_or_off(), server(&ServerOptions::beyond_loopback),
        "Allow an address that other machines can reach.");
    add(table, "http.maxConnections", count(1, 1'000'000), server(&ServerOptions::max_connections),
        "Maximum number of open connections.");
    add(table, "http.maxConnectionsPerPeer", count(1, 1'000'000), server(&ServerOptions::max_connections_per_peer),
        "Maximum number of open connections from one address.");
    add(table, "http.maxRequests", count(1, 1'000'000), server(&ServerOptions::max_requests),
        "Maximum number of concurrent requests; more are refused with 503.");
    add(table, "http.maxHeaderSize", size(kibibyte, gibibyte),
        server(&ServerOptions::request, &http::RequestLimits::header_bytes), "Maximum size of a request header.");
    add(table, "http.maxBodySize", size(kibibyte, gibibyte),
        server(&ServerOptions::request, &http::RequestLimits::body_bytes), "Maximum size of a request body.");
    add(table, "http.headerTimeout", limit(), allowed(&TimeLimits::header),
        "Maximum time to receive the request header.");
    add(table, "http.bodyTimeout", limit(), allowed(&TimeLimits::body), "Maximum time to receive the request body.");
    add(table, "http.idleTimeout", limit(), allowed(&TimeLimits::idle),
        "Maximum time between two requests on a connection.");
    add(table, "http.responseTimeout", limit(), allowed(&TimeLimits::response),
        "Maximum time for a client to read a response.");
    add(table, "http.drainTimeout", limit(), allowed(&TimeLimits::drain),
        "Maximum time for requests in progress when the server stops.");
    add(table, "http.tls.certificateFile", text(), at(&Config::tls, &http::TlsFiles::certificate),
        "The server's certificate and its chain (PEM); without it, plain HTTP.");
    add(table, "http.tls.keyFile", text(), at(&Config::tls, &http::TlsFiles::key),
        "The certificate's private key (PEM).");
    add(table, "http.tls.clientCaFile", text(), at(&Config::tls, &http::TlsFiles::client_authorities),
        "Clients must present a certificate of one of these authorities (PEM).");
    add(table, "api.requireRequestId", on_or_off(), at(&Config::require_request_id),
        "Reject a transaction without a requestId, because its caller could not retry it safely.");
    add(table, "api.keysFile", text(), at(&Config::keys_file),
        "The file of API keys (fencepost apikey new); without it, every program that can reach the API may do "
        "everything.");
    add(table, "api.openToAll", on_or_off(), at(&Config::open_to_all),
        "Allow calls from other machines without a key and under any host name; a proxy must authenticate the "
        "callers.");
    add(table, "api.openMetrics", on_or_off(), at(&Config::open_metrics),
        "Serve /metrics without a key, for Prometheus.");
    add(table, "api.rateLimit.perSecond", count(1, 1'000'000), at(&Config::rate_limit, &api::RateLimit::per_second),
        "Requests per second for each key without its own limit; each item of a batch counts.");
    add(table, "api.rateLimit.burst", count(1, 1'000'000), at(&Config::rate_limit, &api::RateLimit::burst),
        "Number of requests that a key may make at once after a pause.");
    add(table, "api.maxWaiting", count(1, 1'000'000), at(&Config::max_waiting),
        "Maximum number of new transactions waiting to be written; more are refused with 503.");
}

void add_database(Keys<Config>& table) {
    const auto connection = [](auto member) {
        return at(&Config::database, &Database::postgres, &PostgresOptions::connection, member);
    };
    add(table, "database.url", database(), at(&Config::database, &Database::name),
        "PostgreSQL, for clusters, or a SQLite file, for one node.", Printing::never);
    add(table, "database.connections", count(1, 1000),
        at(&Config::database, &Database::postgres, &PostgresOptions::connections),
        "Connections for writes (PostgreSQL). As many again are used to open lanes and as many for queries, and two "
        "for renewals.");
    add(table, "database.connectTimeout", limit(), connection(&ConnectionOptions::connect_timeout),
        "Maximum time to connect (PostgreSQL).");
    add(table, "database.statementTimeout", limit(), connection(&ConnectionOptions::statement_timeout),
        "Maximum time of a statement (PostgreSQL).");
    add(table, "database.lockTimeout", limit(), connection(&ConnectionOptions::lock_timeout),
        "Maximum time a statement waits for a lock (PostgreSQL).");
    add(table, "database.idleInTransactionTimeout", limit(),
        connection(&ConnectionOptions::idle_in_transaction_timeout),
        "Maximum idle time within a database transaction (PostgreSQL).");
    add(table, "database.answerTimeout", limit(), connection(&ConnectionOptions::answer_timeout),
        "Maximum time to wait for the server's answer (PostgreSQL); less than lease.duration.");
    add(table, "database.evictAfter", limit(),
        at(&Config::database, &Database::postgres, &PostgresOptions::evict_after),
        "Time after which a stalled owner that blocks a takeover is disconnected (PostgreSQL).");
    add(table, "database.busyTimeout", limit(), at(&Config::database, &Database::sqlite_busy_timeout),
        "Maximum time to wait while another process locks the file (SQLite).");
}

void add_lanes(Keys<Config>& table) {
    const auto host = [](auto member) { return at(&Config::host, member); };
    add(table, "lease.duration", duration(seconds(5), seconds(30)), host(&HostOptions::lease),
        "Time after which another node takes over the submitters of a node that died.");
    add(table, "lease.renewInterval", duration(milliseconds(100), seconds(15)), host(&HostOptions::renew_every),
        "How often leases are renewed; less than half of lease.duration.");
    add(table, "lease.clockSkewAllowance", duration({}, seconds(15)), host(&HostOptions::clock_skew_allowance),
        "How long before the end of its lease a node stops by itself.");
    add(table, "confirmations.receiptWorkers", count(1, 10'000), host(&HostOptions::receipt_workers),
        "Maximum number of concurrent receipt requests.");
}

void add_ability(Keys<Config>& table) {
    const auto ability = [](auto member) { return at(&Config::cluster, &ClusterOptions::ability, member); };
    add(table, "ability.loseAfter", limit(), ability(&AbilityOptions::lost_after),
        "Time of continuous failure of a chain or signer after which a node hands its submitters to a node that can "
        "serve them.");
    add(table, "ability.regainAfter", limit(), ability(&AbilityOptions::regained_after),
        "Time without failure after which such a node can serve them again; it doubles after each loss.");
    add(table, "ability.headIntervals", count(1, 1'000), ability(&AbilityOptions::head_intervals),
        "Number of block intervals without a new block after which a chain counts as failing.");
    add(table, "ability.leastHeadAge", limit(), ability(&AbilityOptions::min_head_age),
        "Minimum time without a new block that counts as failing.");
    add(table, "ability.firstBackOff", duration(seconds(1), hours(24)), ability(&AbilityOptions::initial_back_off),
        "Delay before a failed chain or signer that is no longer in use is tried again; it doubles after each loss.");
    add(table, "ability.longestBackOff", duration(seconds(1), hours(24)), ability(&AbilityOptions::max_back_off),
        "Maximum of that delay.");
}

void add_cluster(Keys<Config>& table) {
    const auto registry = [](auto member) { return at(&Config::cluster, &ClusterOptions::registry, member); };
    const auto plan = [](auto member) { return at(&Config::cluster, &ClusterOptions::plan, member); };
    add(table, "cluster.heartbeatInterval", limit(), registry(&RegistryOptions::heartbeat_every),
        "How often a node writes its heartbeat.");
    add(table, "cluster.heartbeatTimeout", limit(), registry(&RegistryOptions::heartbeat_timeout),
        "Maximum time to write a heartbeat.");
    add(table, "cluster.liveWithin", limit(), registry(&RegistryOptions::live_within),
        "Age of the last heartbeat at which a node counts as dead; more than two heartbeat intervals.");
    add(table, "cluster.standInAfter", limit(), plan(&PlanOptions::stand_in_after),
        "Time after which the next node in rank opens a submitter that the preferred node has not opened.");
    add(table, "cluster.idleReleaseAfter", limit(), plan(&PlanOptions::idle_release_after),
        "Time without work after which a submitter's lease is released.");
    add(table, "cluster.steadyFor", limit(), plan(&PlanOptions::stable_for),
        "How long the set of live nodes must be unchanged before submitters are handed over.");
    add(table, "cluster.unservedAfter", limit(), plan(&PlanOptions::unserved_after),
        "Time after which work that no node serves raises a warning.");
    add(table, "cluster.lookInterval", limit(), at(&Config::cluster, &ClusterOptions::poll_interval),
        "How often a node polls for submitters that it should serve.");
    add(table, "routing.enabled", on_or_off(), at(&Config::routing),
        "Refuse a transaction for a submitter that another node serves (409), instead of accepting it on any node.");
}

void add_stuck(Keys<Config>& table) {
    add(table, "stuck.decision", choice<StuckDecision>(), at(&Config::stuck, &StuckConfig::decision),
        "What to do with a STUCK transaction; with a hook, only when the hook does not answer.");
    add(table, "stuck.hook.url", http_url(), at(&Config::stuck, &StuckConfig::hook_url),
        "URL of your own service that decides instead; it receives a signed request.", Printing::never);
    add(table, "stuck.hook.secretFile", text(), at(&Config::stuck, &StuckConfig::hook_secret_file),
        "A file with the secret that signs the requests to that service.");
    add(table, "stuck.hook.caFile", text(), at(&Config::stuck, &StuckConfig::hook_ca_file),
        "Certificate authorities (PEM) in addition to the system's.");
    add(table, "stuck.hook.timeout", limit(), at(&Config::stuck, &StuckConfig::hook_timeout),
        "Maximum time for its answer.");
}

void add_alerts(Keys<Config>& table) {
    const auto webhook = [](auto member) { return at(&Config::alerting, &Alerting::webhook, member); };
    const auto threshold = [](auto member) {
        return at(&Config::alerting, &Alerting::watch, &alerts::WatchOptions::thresholds, member);
    };
    add(table, "alerts.foldInterval", duration(seconds(1), hours(24)),
        at(&Config::alerting, &Alerting::deduplication, &alerts::AlertDeduplicatorOptions::fold_interval),
        "Alerts of the same kind for the same submitter within this time are sent as one.");
    add(table, "alerts.webhook.url", http_url(), at(&Config::alerting, &Alerting::webhook_url),
        "URL to which alerts are posted as JSON; without it, alerts are only logged.", Printing::never);
    add(table, "alerts.webhook.headers", headers(), at(&Config::alerting, &Alerting::webhook_headers),
        "Headers sent with every alert.", Printing::never);
    add(table, "alerts.webhook.caFile", text(), at(&Config::alerting, &Alerting::webhook_ca_file),
        "Certificate authorities (PEM) in addition to the system's.");
    add(table, "alerts.webhook.timeout", limit(), webhook(&alerts::WebhookOptions::post_limit),
        "Maximum time to post an alert.");
    add(table, "alerts.webhook.tries", count(1, 1000), webhook(&alerts::WebhookOptions::tries),
        "Maximum number of attempts to post an alert.");
    add(table, "monitoring.window", duration(seconds(1), hours(24)),
        at(&Config::alerting, &Alerting::watch, &alerts::WatchOptions::window),
        "The period over which counts are compared with the thresholds below.");
    add(table, "monitoring.fencedThreshold", count(), threshold(&AlertThresholds::fenced),
        "Raise an alert when more writes than this are fenced in one window.");
    add(table, "monitoring.backlogWindows", count(1, 1000), threshold(&AlertThresholds::backlog_windows),
        "Raise an alert when the backlog of receipts grows through this many windows in a row.");
    add(table, "monitoring.backlogThreshold", count(), threshold(&AlertThresholds::min_backlog),
        "Minimum backlog for that alert.");
    add(table, "monitoring.resubmitPercent", count(1, 100), threshold(&AlertThresholds::resubmit_percent),
        "Raise an alert when resubmissions exceed this percentage of all broadcasts in a window.");
    add(table, "monitoring.resubmitThreshold", count(), threshold(&AlertThresholds::min_resubmits),
        "Minimum number of resubmissions in a window for that alert.");
    add(table, "log.level", choice<Severity>(), at(&Config::log_level),
        "Minimum severity that is logged; the audit log is always written.");
    add(table, "log.format", choice<telemetry::LogFormat>(), at(&Config::log_format),
        "text for people, json for log processors.");
}

}  // namespace

const Keys<Config>& service_keys() {
    static const auto table = [] {
        Keys<Config> keys;
        add_server(keys);
        add_database(keys);
        add_lanes(keys);
        add_cluster(keys);
        add_ability(keys);
        add_stuck(keys);
        add_alerts(keys);
        return keys;
    }();
    return table;
}

}  // namespace fencepost::config
