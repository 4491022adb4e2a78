// Keys about a node as a whole: where it listens, its database, its leases, its part in the cluster, and whom it tells.
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
    add(table, "listen", listen_address(), server(&ServerOptions::listen), "Where the HTTP API is served.");
    add(table, "node.name", text(), at(&Config::node_name), "What this node is called in logs and leases.");
    add(table, "node.address", text(), at(&Config::node_address),
        "Where other nodes reach its API; without it, where it listens.");
    add(table, "node.threads", count(1, 256), at(&Config::threads),
        "How many threads serve submitters; each has connections of its own to database and chains.");
    add(table, "http.beyondLoopback", on_or_off(), server(&ServerOptions::beyond_loopback),
        "Let others than this machine call.");
    add(table, "http.maxConnections", count(1, 1'000'000), server(&ServerOptions::max_connections),
        "How many connections may be open.");
    add(table, "http.maxConnectionsPerPeer", count(1, 1'000'000), server(&ServerOptions::max_connections_per_peer),
        "How many of them may come from one address.");
    add(table, "http.maxRequests", count(1, 1'000'000), server(&ServerOptions::max_requests),
        "How many requests may be answered at once; more are told to come again.");
    add(table, "http.maxHeaderSize", size(kibibyte, gibibyte),
        server(&ServerOptions::request, &http::RequestLimits::header_bytes), "A longer header is refused.");
    add(table, "http.maxBodySize", size(kibibyte, gibibyte),
        server(&ServerOptions::request, &http::RequestLimits::body_bytes), "A longer body is refused.");
    add(table, "http.headerTimeout", limit(), allowed(&TimeLimits::header), "So long a client may take over a header.");
    add(table, "http.bodyTimeout", limit(), allowed(&TimeLimits::body), "So long a client may take over a body.");
    add(table, "http.idleTimeout", limit(), allowed(&TimeLimits::idle), "So long a connection may wait for a request.");
    add(table, "http.responseTimeout", limit(), allowed(&TimeLimits::response),
        "So long a client may take to read an answer.");
    add(table, "http.drainTimeout", limit(), allowed(&TimeLimits::drain),
        "So long requests under way may take when the server stops.");
    add(table, "http.tls.certificateFile", text(), at(&Config::tls, &http::TlsFiles::certificate),
        "The server's certificate with its chain (PEM); without it, plain HTTP.");
    add(table, "http.tls.keyFile", text(), at(&Config::tls, &http::TlsFiles::key), "The certificate's key (PEM).");
    add(table, "http.tls.clientCaFile", text(), at(&Config::tls, &http::TlsFiles::client_authorities),
        "Clients must show a certificate of one of these authorities (PEM).");
    add(table, "api.requireRequestId", on_or_off(), at(&Config::require_request_id),
        "Refuse a transaction without a requestId: it could not be sent again safely.");
    add(table, "api.keysFile", text(), at(&Config::keys_file),
        "The file of API keys (fencepost apikey new); without it, whoever can reach the API may do everything.");
    add(table, "api.openToAll", on_or_off(), at(&Config::open_to_all),
        "Let others than this machine call without a key, by any name: something before it checks who calls.");
    add(table, "api.openMetrics", on_or_off(), at(&Config::open_metrics),
        "Let Prometheus read /metrics without a key.");
    add(table, "api.rateLimit.perSecond", count(1, 1'000'000), at(&Config::rate_limit, &api::RateLimit::per_second),
        "So many requests a second each key may make, unless it has a rate of its own; a batch counts as its items.");
    add(table, "api.rateLimit.burst", count(1, 1'000'000), at(&Config::rate_limit, &api::RateLimit::burst),
        "So many it may make at once after a pause.");
    add(table, "api.maxWaiting", count(1, 1'000'000), at(&Config::max_waiting),
        "So many new transactions may wait to be written; more are told to come again.");
}

void add_database(Keys<Config>& table) {
    const auto connection = [](auto member) {
        return at(&Config::database, &Database::postgres, &PostgresOptions::connection, member);
    };
    add(table, "database.url", database(), at(&Config::database, &Database::name),
        "PostgreSQL, for clusters, or a SQLite file, for one node.", Shown::never);
    add(table, "database.connections", count(1, 1000),
        at(&Config::database, &Database::postgres, &PostgresOptions::connections),
        "For writes (PostgreSQL); as many again are for openings and for what callers ask, and two for renewals.");
    add(table, "database.connectTimeout", limit(), connection(&ConnectionOptions::connect_timeout),
        "So long a connection may take to open (PostgreSQL).");
    add(table, "database.statementTimeout", limit(), connection(&ConnectionOptions::statement_timeout),
        "So long a statement may take (PostgreSQL).");
    add(table, "database.lockTimeout", limit(), connection(&ConnectionOptions::lock_timeout),
        "So long a statement may wait for a lock (PostgreSQL).");
    add(table, "database.idleInTransactionTimeout", limit(),
        connection(&ConnectionOptions::idle_in_transaction_timeout), "So long a transaction may pause (PostgreSQL).");
    add(table, "database.answerTimeout", limit(), connection(&ConnectionOptions::answer_timeout),
        "A server that does not answer for so long is given up (PostgreSQL); less than lease.duration.");
    add(table, "database.evictAfter", limit(),
        at(&Config::database, &Database::postgres, &PostgresOptions::evict_after),
        "A stalled owner that blocks a takeover for so long is disconnected (PostgreSQL).");
    add(table, "database.busyTimeout", limit(), at(&Config::database, &Database::sqlite_busy_timeout),
        "So long another process may hold the file (SQLite).");
}

void add_lanes(Keys<Config>& table) {
    const auto host = [](auto member) { return at(&Config::host, member); };
    add(table, "lease.duration", duration(seconds(5), seconds(30)), host(&HostOptions::lease),
        "So long after its owner's death another node takes over a submitter.");
    add(table, "lease.renewInterval", duration(milliseconds(100), seconds(15)), host(&HostOptions::renew_every),
        "How often leases are renewed; less than half of lease.duration.");
    add(table, "lease.clockSkewAllowance", duration({}, seconds(15)), host(&HostOptions::clock_skew_allowance),
        "So much earlier than its lease ends a node stops by itself.");
    add(table, "confirmations.receiptWorkers", count(1, 10'000), host(&HostOptions::receipt_workers),
        "How many receipts may be asked for at once.");
}

void add_ability(Keys<Config>& table) {
    const auto ability = [](auto member) { return at(&Config::cluster, &ClusterOptions::ability, member); };
    add(table, "ability.loseAfter", limit(), ability(&AbilityOptions::lose_after),
        "A node whose chain or signer fails for so long hands its submitters to a node that is able to serve them.");
    add(table, "ability.regainAfter", limit(), ability(&AbilityOptions::regain_after),
        "Such a node is able again when chain and signer have worked for so long; twice as long after each loss.");
    add(table, "ability.headIntervals", count(1, 1'000), ability(&AbilityOptions::head_intervals),
        "A chain without a new block for so many of its block intervals counts as failing.");
    add(table, "ability.leastHeadAge", limit(), ability(&AbilityOptions::least_head_age),
        "The least time without a new block that counts as failing.");
    add(table, "ability.firstBackOff", duration(seconds(1), hours(24)), ability(&AbilityOptions::first_back_off),
        "What failed and is not in use any more is tried again after so long; twice as long after each loss.");
    add(table, "ability.longestBackOff", duration(seconds(1), hours(24)), ability(&AbilityOptions::longest_back_off),
        "The longest until it is tried again.");
}

void add_cluster(Keys<Config>& table) {
    const auto registry = [](auto member) { return at(&Config::cluster, &ClusterOptions::registry, member); };
    const auto plan = [](auto member) { return at(&Config::cluster, &ClusterOptions::plan, member); };
    add(table, "cluster.heartbeatInterval", limit(), registry(&RegistryOptions::heartbeat_every),
        "How often a node says that it is there.");
    add(table, "cluster.heartbeatTimeout", limit(), registry(&RegistryOptions::beat_limit),
        "A heartbeat that is not answered for so long is given up.");
    add(table, "cluster.liveWithin", limit(), registry(&RegistryOptions::live_within),
        "A node that was not heard of for so long is not there; more than two heartbeats.");
    add(table, "cluster.standInAfter", limit(), plan(&PlanOptions::stand_in_after),
        "A submitter that the node before did not open for so long is opened by the next.");
    add(table, "cluster.idleReleaseAfter", limit(), plan(&PlanOptions::idle_release_after),
        "A submitter without work for so long is given back.");
    add(table, "cluster.steadyFor", limit(), plan(&PlanOptions::steady_for),
        "Submitters are handed over only when the same nodes were there for so long.");
    add(table, "cluster.unservedAfter", limit(), plan(&PlanOptions::unserved_after),
        "Work that nobody serves for so long is warned of.");
    add(table, "cluster.lookInterval", limit(), at(&Config::cluster, &ClusterOptions::look_every),
        "How often a node looks for work that it should serve.");
    add(table, "routing.enabled", on_or_off(), at(&Config::routing),
        "Refuse a request for a submitter that another node serves, instead of accepting it anywhere.");
}

void add_stuck(Keys<Config>& table) {
    add(table, "stuck.decision", choice<StuckDecision>(), at(&Config::stuck, &StuckConfig::decision),
        "What is done about a transaction that is STUCK; with a hook, when it does not answer.");
    add(table, "stuck.hook.url", http_url(), at(&Config::stuck, &StuckConfig::hook_url),
        "A service of yours that is asked to decide, with a signed request.", Shown::never);
    add(table, "stuck.hook.secretFile", text(), at(&Config::stuck, &StuckConfig::hook_secret_file),
        "A file with the secret by which that service knows our requests.");
    add(table, "stuck.hook.caFile", text(), at(&Config::stuck, &StuckConfig::hook_ca_file),
        "Certificate authorities (PEM) besides the system's.");
    add(table, "stuck.hook.timeout", limit(), at(&Config::stuck, &StuckConfig::hook_timeout),
        "The longest it may take to answer.");
}

void add_alerts(Keys<Config>& table) {
    const auto webhook = [](auto member) { return at(&Config::alerting, &Alerting::webhook, member); };
    const auto threshold = [](auto member) {
        return at(&Config::alerting, &Alerting::watch, &alerts::WatchOptions::thresholds, member);
    };
    add(table, "alerts.foldInterval", duration(seconds(1), hours(24)),
        at(&Config::alerting, &Alerting::desk, &alerts::AlertDeskOptions::fold_interval),
        "Alerts of one kind about one submitter within this time are one.");
    add(table, "alerts.webhook.url", http_url(), at(&Config::alerting, &Alerting::webhook_url),
        "Alerts are posted there as JSON; without it, they are only logged.", Shown::never);
    add(table, "alerts.webhook.headers", headers(), at(&Config::alerting, &Alerting::webhook_headers),
        "Sent with every post.", Shown::never);
    add(table, "alerts.webhook.caFile", text(), at(&Config::alerting, &Alerting::webhook_ca_file),
        "Certificate authorities (PEM) besides the system's.");
    add(table, "alerts.webhook.timeout", limit(), webhook(&alerts::WebhookOptions::post_limit),
        "The longest a post may take.");
    add(table, "alerts.webhook.tries", count(1, 1000), webhook(&alerts::WebhookOptions::tries),
        "How often an alert is posted at most.");
    add(table, "monitoring.window", duration(seconds(1), hours(24)),
        at(&Config::alerting, &Alerting::watch, &alerts::WatchOptions::window), "Counts are judged once in this time.");
    add(table, "monitoring.fencedThreshold", count(), threshold(&AlertThresholds::fenced),
        "More fenced writes in a window raise an alert.");
    add(table, "monitoring.backlogWindows", count(1, 1000), threshold(&AlertThresholds::backlog_windows),
        "A backlog of receipts that grew through so many windows in a row raises an alert.");
    add(table, "monitoring.backlogThreshold", count(), threshold(&AlertThresholds::backlog_least),
        "A smaller backlog than this raises none.");
    add(table, "monitoring.resubmitPercent", count(1, 100), threshold(&AlertThresholds::resubmit_percent),
        "More repeats among what was sent in a window, in per cent, raise an alert.");
    add(table, "monitoring.resubmitThreshold", count(), threshold(&AlertThresholds::resubmits_least),
        "Fewer repeats in a window than this raise none.");
    add(table, "log.level", choice<Severity>(), at(&Config::log_level),
        "What is less important is not logged; acts of administrators always are.");
    add(table, "log.format", choice<telemetry::LogFormat>(), at(&Config::log_format), "For people, or for machines.");
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
