#include "node/worker.hpp"

#include <utility>

#include "base/async/task_group.hpp"
#include "base/startup_error.hpp"
#include "signers/secret_file.hpp"

namespace fencepost::node {
namespace {

evm::Connections connections_of(const config::ChainConfig& chain, const Executor& executor, Clock& clock) {
    evm::Connections connections;
    for (const auto& endpoint : chain.endpoints) {
        connections.endpoints.push_back(
            {endpoint.name, std::make_unique<jsonrpc::HttpJsonRpc>(executor, clock, endpoint.rpc)});
        if (endpoint.web_socket) {
            connections.hints.push_back(
                {.url = *endpoint.web_socket, .headers = endpoint.rpc.headers, .ca_file = endpoint.rpc.ca_file});
        }
    }
    return connections;
}

std::vector<std::unique_ptr<evm::EvmChain>> connect(const Executor& executor, Clock& clock, const Shared& shared) {
    std::vector<std::unique_ptr<evm::EvmChain>> chains;
    chains.reserve(shared.config.chains.size());
    for (const auto& chain : shared.config.chains) {
        chains.push_back(std::make_unique<evm::EvmChain>(executor, clock, shared.log, shared.telemetry, chain.ref,
                                                         connections_of(chain, executor, clock), chain.settings.evm));
    }
    return chains;
}

std::unique_ptr<HttpPoster> poster_of(const config::StuckConfig& stuck, const Executor& executor, Clock& clock) {
    if (!stuck.hook_url) return nullptr;
    return std::make_unique<jsonrpc::JsonPoster>(
        executor, clock,
        jsonrpc::JsonPosterOptions{.url = *stuck.hook_url, .max_in_flight = 8, .ca_file = stuck.hook_ca_file});
}

std::unique_ptr<StuckPolicy> policy_of(const config::StuckConfig& stuck, HttpPoster* poster, Clock& clock, Log& log) {
    if (poster == nullptr) return std::make_unique<lane::AlwaysDecide>(stuck.decision);
    auto secret = signers::read_secret_file(stuck.hook_secret_file);
    if (!secret) throw StartupError(secret.error());
    return std::make_unique<hooks::StuckHook>(
        *poster, clock, log,
        hooks::StuckHookOptions{
            .secret = *std::move(secret), .limit = stuck.hook_timeout, .default_decision = stuck.decision});
}

}  // namespace

Worker::Worker(const Executor& executor, const Shared& shared)
    : executor_(executor),
      store_(shared.database.store_for(executor, clock_, random_)),
      lane_store_(*store_, shared.announce),
      keys_(executor, clock_, shared.log, shared.keys, shared.config.signers),
      chains_(connect(executor, clock_, shared)),
      connectors_(executor, clock_, shared.config.chains),
      hook_poster_(poster_of(shared.config.stuck, executor, clock_)),
      stuck_policy_(policy_of(shared.config.stuck, hook_poster_.get(), clock_, shared.log)),
      host_(executor, shared.id,
            {.leases = *store_,
             .store = lane_store_,
             .commands = *store_,
             .headers = *store_,
             .signer = keys_.signer(),
             .builder = builder_,
             .clock = clock_,
             .telemetry = shared.telemetry,
             .log = shared.log,
             .stuck_policy = stuck_policy_.get(),
             .alerts = &shared.alerts,
             .connector = &connectors_,
             .shared_keys = lane::SharedKeyDependencies{*store_, *store_, shared.alerts}},
            shared.config.host) {
    for (const auto& chain : chains_)
        host_.add_chain(*chain);
}

Task<void> Worker::run() {
    TaskGroup tasks(executor_);
    tasks.spawn(keys_.run());
    tasks.spawn(connectors_.run());
    for (const auto& chain : chains_)
        tasks.spawn(chain->run());
    tasks.spawn(host_.run());
    co_await tasks.join();
}

}  // namespace fencepost::node
