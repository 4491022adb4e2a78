// The configuration of a node as the composition root wants it: the options of its parts, with what was configured for
// all chains, for one chain and for one submitter put together already. Where a part has options of its own, they are
// used as they are, and their defaults with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alerts/alert_deduplicator.hpp"
#include "alerts/watched_telemetry.hpp"
#include "alerts/webhook_sink.hpp"
#include "api/auth/rate_limit.hpp"
#include "cluster/cluster_node.hpp"
#include "config/keys/choices.hpp"
#include "config/keys/database_name.hpp"
#include "evm/evm_chain.hpp"
#include "hooks/stuck_hook.hpp"
#include "http/server.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "jsonrpc/json_poster.hpp"
#include "lane/host/lane_host.hpp"
#include "ports/log.hpp"
#include "ports/sending_connector.hpp"
#include "signers/pkcs11_signer.hpp"
#include "signers/remote_signer.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"
#include "telemetry/log_line.hpp"

namespace fencepost::config {

/// May be decided for all lanes, for a chain's, and for one submitter's.
using LaneSettings = lane::LaneOptions;

/// May be decided for all chains and for one.
struct ChainSettings {
    evm::EvmChainOptions evm{};
    /// Of each endpoint, but for its URL, headers and CA file.
    jsonrpc::HttpJsonRpcOptions rpc{};
    ConnectorAbilities connector{};
};

struct Endpoint {
    std::string name;  // shown in logs
    jsonrpc::HttpJsonRpcOptions rpc{};
    /// Tells of new heads.
    std::optional<jsonrpc::Url> web_socket{};
};

/// A node, or a service before it, that holds keys: it signs and sends in one (eth_sendTransaction).
struct ConnectorConfig {
    std::optional<jsonrpc::Url> url{};
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string ca_file{};
    /// Whose keys it holds.
    std::vector<Address> accounts{};
};

struct ChainConfig {
    std::string name;
    ChainRef ref;
    ChainSettings settings{};
    LaneSettings lane{};
    std::vector<Endpoint> endpoints{};
    /// Without a URL there is none.
    ConnectorConfig connector{};
};

/// A submitter that is run otherwise than its chain's others.
struct SubmitterConfig {
    std::string name;
    SubmitterId id;
    LaneSettings lane{};
};

/// Which of the members count depends on the kind; those that a kind needs are there.
struct SignerConfig {
    std::string name{};
    SignerKind kind = SignerKind::keystore;
    // keystore
    std::string folder{};
    std::string password_file{};
    std::string password_folder{};
    // remote
    std::optional<jsonrpc::Url> url{};
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string ca_file{};
    signers::RemoteSignerOptions remote{};
    // pkcs11
    std::string module_path{};
    std::string token_label{};
    std::string pin_file{};
    std::vector<std::string> key_labels{};
    unsigned sessions = signers::Pkcs11Options{}.sessions;
    // development
    std::string key_file{};
};

struct Database {
    DatabaseName name{};
    store::PostgresOptions postgres{};  // with the URL, if it is one
    std::chrono::milliseconds sqlite_busy_timeout = store::SqliteOptions{}.busy_timeout;
};

struct Alerting {
    alerts::AlertDeskOptions desk{};
    alerts::WatchOptions watch{};
    /// None: the log alone is told.
    std::optional<jsonrpc::Url> webhook_url{};
    std::vector<std::pair<std::string, std::string>> webhook_headers{};
    std::string webhook_ca_file{};
    alerts::WebhookOptions webhook{};
};

/// Who decides about what is stuck.
struct StuckConfig {
    /// By itself, or where the hook does not answer.
    StuckDecision decision = StuckDecision::wait;
    std::optional<jsonrpc::Url> hook_url{};
    std::string hook_secret_file{};
    std::string hook_ca_file{};
    Duration hook_timeout = hooks::StuckHookOptions{}.limit;
};

struct Config {
    std::string node_name = "fencepost";
    /// Where other nodes reach this one's API; empty: where it listens.
    std::string node_address{};
    /// Each serves its share of the submitters.
    std::size_t threads = 1;
    http::ServerOptions server{};
    /// In PEM; no certificate: plain HTTP.
    http::TlsFiles tls{};
    bool require_request_id = true;
    /// Who may call; empty: everybody who can.
    std::string keys_file{};
    /// Others than this machine may call without a key.
    bool open_to_all = false;
    /// Everybody who can reach it may read /metrics.
    bool open_metrics = false;
    /// Of keys that have no rate of their own.
    api::RateLimit rate_limit{};
    /// Transactions that may wait to be written.
    std::size_t max_waiting = 10'000;
    Database database{};
    lane::HostOptions host{};
    cluster::ClusterOptions cluster{};
    bool routing = false;
    Alerting alerting{};
    StuckConfig stuck{};
    Severity log_level = Severity::info;
    telemetry::LogFormat log_format = telemetry::LogFormat::text;

    /// As configured at the top: of what has no settings of its own.
    ChainSettings chain{};
    LaneSettings lane{};

    std::vector<ChainConfig> chains{};
    std::vector<SubmitterConfig> submitters{};
    std::vector<SignerConfig> signers{};

    /// Nothing when its chain is not configured.
    [[nodiscard]] const LaneSettings* lane_of(const SubmitterId& submitter) const;
    [[nodiscard]] const ChainConfig* find(const ChainRef& ref) const;
};

}  // namespace fencepost::config
