// The configuration of a node, as the composition root uses it. Settings for all chains, for one chain and for one
// submitter are merged already. It contains the option structs of the modules themselves, so their defaults are defined
// once.
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

/// Can be set globally, for a chain, and for a submitter.
using LaneSettings = lane::LaneOptions;

/// Can be set globally and for a chain.
struct ChainSettings {
    evm::EvmChainOptions evm{};
    /// For each endpoint, except URL, headers and CA file.
    jsonrpc::HttpJsonRpcOptions rpc{};
    ConnectorAbilities connector{};
};

struct Endpoint {
    std::string name;  // shown in logs
    jsonrpc::HttpJsonRpcOptions rpc{};
    /// Announces new heads.
    std::optional<jsonrpc::Url> web_socket{};
};

/// A node, or a signing proxy in front of it, that holds keys: it signs and broadcasts in one call
/// (eth_sendTransaction).
struct ConnectorConfig {
    std::optional<jsonrpc::Url> url{};
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string ca_file{};
    /// The accounts whose keys it holds.
    std::vector<Address> accounts{};
};

struct ChainConfig {
    std::string name;
    ChainRef ref;
    ChainSettings settings{};
    LaneSettings lane{};
    std::vector<Endpoint> endpoints{};
    /// Used only if it has a URL.
    ConnectorConfig connector{};
};

/// A submitter with settings that differ from its chain's.
struct SubmitterConfig {
    std::string name;
    SubmitterId id;
    LaneSettings lane{};
};

/// The kind decides which members are used; the required ones are set.
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
    alerts::AlertDeduplicatorOptions deduplication{};
    alerts::WatchOptions watch{};
    /// None: alerts go to the log only.
    std::optional<jsonrpc::Url> webhook_url{};
    std::vector<std::pair<std::string, std::string>> webhook_headers{};
    std::string webhook_ca_file{};
    alerts::WebhookOptions webhook{};
};

/// Who decides what to do with a stuck transaction.
struct StuckConfig {
    /// The decision without a hook, or when the hook does not answer.
    StuckDecision decision = StuckDecision::wait;
    std::optional<jsonrpc::Url> hook_url{};
    std::string hook_secret_file{};
    std::string hook_ca_file{};
    Duration hook_timeout = hooks::StuckHookOptions{}.limit;
};

struct Config {
    std::string node_name = "fencepost";
    /// The address at which other nodes reach this one's API; empty: the listen address.
    std::string node_address{};
    /// Each thread serves a share of the submitters.
    std::size_t threads = 1;
    http::ServerOptions server{};
    /// PEM files; without a certificate the server speaks plain HTTP.
    http::TlsFiles tls{};
    bool require_request_id = true;
    /// The file of API keys; empty: no key is required.
    std::string keys_file{};
    /// Allows other machines to call without a key.
    bool open_to_all = false;
    /// Serves /metrics without authentication.
    bool open_metrics = false;
    /// For keys without a limit of their own.
    api::RateLimit rate_limit{};
    /// Maximum number of transactions that wait for a commit.
    std::size_t max_waiting = 10'000;
    Database database{};
    lane::HostOptions host{};
    cluster::ClusterOptions cluster{};
    bool routing = false;
    Alerting alerting{};
    StuckConfig stuck{};
    Severity log_level = Severity::info;
    telemetry::LogFormat log_format = telemetry::LogFormat::text;

    /// The global settings, for chains and submitters without settings of their own.
    ChainSettings chain{};
    LaneSettings lane{};

    std::vector<ChainConfig> chains{};
    std::vector<SubmitterConfig> submitters{};
    std::vector<SignerConfig> signers{};

    /// Null when its chain is not configured.
    [[nodiscard]] const LaneSettings* lane_of(const SubmitterId& submitter) const;
    [[nodiscard]] const ChainConfig* find(const ChainRef& ref) const;
};

}  // namespace fencepost::config
