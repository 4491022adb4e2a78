// One thread's share of a node: its lanes, and what they need that threads cannot share.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "api/query/announcing_store.hpp"
#include "config/config.hpp"
#include "evm/evm_chain.hpp"
#include "hooks/stuck_hook.hpp"
#include "jsonrpc/json_poster.hpp"
#include "lane/host/lane_host.hpp"
#include "node/connector_set.hpp"
#include "node/database.hpp"
#include "node/keys.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::node {

/// What all threads of a node share. All of it may be called from any thread.
struct Shared {
    const config::Config& config;
    NodeId id;
    Database& database;
    NodeKeys& keys;
    Telemetry& telemetry;
    Log& log;
    Alerts& alerts;
    /// Reports changes that lanes have committed; may be called on any thread.
    std::function<void(std::vector<api::TxChange>)> announce;
};

class Worker {
public:
    /// All of it runs on this executor. `shared` must outlive it.
    Worker(const Executor& executor, const Shared& shared);

    /// Runs until it is cancelled. It then keeps its leases, as after a crash.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] const Executor& executor() const { return executor_; }
    [[nodiscard]] lane::LaneHost& host() { return host_; }
    [[nodiscard]] Store& store() { return *store_; }
    [[nodiscard]] Signer& signer() { return keys_.signer(); }
    [[nodiscard]] const SendingConnector& connector() const { return connectors_; }
    [[nodiscard]] Clock& clock() { return clock_; }
    [[nodiscard]] Random& random() { return random_; }
    /// In configuration order.
    [[nodiscard]] const std::vector<std::unique_ptr<evm::EvmChain>>& chains() const { return chains_; }

private:
    Executor executor_;
    SystemClock clock_;
    SystemRandom random_;
    std::shared_ptr<Store> store_;
    api::AnnouncingStore lane_store_;
    ThreadKeys keys_;
    std::vector<std::unique_ptr<evm::EvmChain>> chains_;
    ConnectorSet connectors_;
    std::unique_ptr<HttpPoster> hook_poster_;
    std::unique_ptr<StuckPolicy> stuck_policy_;
    lane::IdentityBuilder builder_;
    lane::LaneHost host_;
};

}  // namespace fencepost::node
