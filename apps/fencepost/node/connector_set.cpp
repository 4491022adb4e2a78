#include "node/connector_set.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::node {
namespace {

constexpr auto accounts_interval = std::chrono::seconds(30);

evm::NodeConnectorOptions options_of(const config::ChainConfig& chain) {
    evm::NodeConnectorOptions options{.name = chain.name + "-connector",
                                      .time_limit = chain.settings.evm.pool.time_limit};
    for (const auto& account : chain.connector.accounts)
        options.submitters.insert(SubmitterId::evm(chain.ref.evm_chain_id().value(), account));
    return options;
}

jsonrpc::HttpJsonRpcOptions rpc_of(const config::ChainConfig& chain) {
    auto options = chain.settings.rpc;
    options.url = chain.connector.url.value();
    options.headers = chain.connector.headers;
    options.ca_file = chain.connector.ca_file;
    return options;
}

}  // namespace

ConnectorSet::Member::Member(const Executor& executor, Clock& clock, const config::ChainConfig& chain)
    : rpc(executor, clock, rpc_of(chain)),
      same_key(rpc, {.time_limit = chain.settings.evm.pool.time_limit}),
      connector(rpc, chain.settings.connector.hash_recomputation ? &same_key : nullptr, options_of(chain)) {}

ConnectorSet::ConnectorSet(const Executor& executor, Clock& clock, const std::vector<config::ChainConfig>& chains)
    : clock_(clock) {
    for (const auto& chain : chains)
        if (chain.connector.url) members_.push_back(std::make_unique<Member>(executor, clock, chain));
}

Task<void> ConnectorSet::run() {
    while (!members_.empty()) {
        // On failure no hash can be derived, and unknown sends (grey zone) are searched by nonce.
        for (const auto& member : members_)
            static_cast<void>(co_await member->same_key.refresh());
        co_await clock_.sleep_for(accounts_interval);
    }
}

ConnectorAbilities ConnectorSet::abilities() const {
    ConnectorAbilities all{.hash_recomputation = true, .query_by_nonce = true};
    for (const auto& member : members_) {
        const auto own = member->connector.abilities();
        all.hash_recomputation = all.hash_recomputation && own.hash_recomputation;
        all.query_by_nonce = all.query_by_nonce && own.query_by_nonce;
    }
    return all;
}

evm::NodeConnector* ConnectorSet::find(const SubmitterId& submitter) const {
    const auto found = std::ranges::find_if(
        members_, [&submitter](const auto& member) { return member->connector.sends_for(submitter); });
    return found == members_.end() ? nullptr : &(*found)->connector;
}

evm::NodeConnector& ConnectorSet::of(const SubmitterId& submitter) const {
    auto* const connector = find(submitter);
    FP_ASSERT(connector != nullptr);
    return *connector;
}

Task<ConnectorAnswer> ConnectorSet::send(UnsignedTransaction transaction) {
    return of(transaction.from).send(transaction);
}

Task<RpcResult<TxHash>> ConnectorSet::hash_of(UnsignedTransaction transaction) {
    return of(transaction.from).hash_of(transaction);
}

Task<RpcResult<std::optional<TxHash>>> ConnectorSet::sent_at(SubmitterId submitter, Nonce nonce) {
    return of(submitter).sent_at(submitter, nonce);
}

Task<RpcResult<bool>> ConnectorSet::is_same(TxHash hash, UnsignedTransaction transaction) {
    return of(transaction.from).is_same(hash, transaction);
}

}  // namespace fencepost::node
