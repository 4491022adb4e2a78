// Configuration keys of chains and their endpoints. The keys of ChainSettings may also be set globally, for all chains.
#include "config/keys/keys.hpp"

namespace fencepost::config {
namespace {

using evm::EvmChainOptions;
using evm::FollowerOptions;
using evm::PoolOptions;
using jsonrpc::HttpJsonRpcOptions;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t mebibyte = std::uint64_t{1024} * 1024;

auto of_chain(auto... members) { return at(&ChainSettings::evm, members...); }

void add_calls(Keys<ChainSettings>& table) {
    add(table, "rpc.timeout", duration(milliseconds(100), hours(1)),
        of_chain(&EvmChainOptions::pool, &PoolOptions::time_limit), "Maximum time of a request to the chain.");
    add(table, "rpc.maxInFlight", count(1, 10'000), at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_in_flight),
        "Maximum number of concurrent calls to one endpoint.");
    add(table, "rpc.maxBatch", count(1, 10'000), at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_batch),
        "Maximum number of calls in one batch request; some providers allow fewer.");
    add(table, "rpc.maxResponseSize", size(1024, 1024 * mebibyte),
        at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_response_bytes), "Maximum size of a response.");
    add(table, "rpc.headInterval", duration(milliseconds(100), hours(1)),
        of_chain(&EvmChainOptions::pool, &PoolOptions::head_interval),
        "How often the head of each endpoint is requested.");
    add(table, "rpc.maxLag", count(), of_chain(&EvmChainOptions::pool, &PoolOptions::max_lag),
        "Maximum lag of an endpoint, in blocks; one that lags more is used only when no other endpoint can answer.");
    add(table, "rpc.scanBlocks", count(0, 1'000'000),
        of_chain(&EvmChainOptions::nonce_history, &evm::NonceHistoryOptions::scan_blocks),
        "Maximum number of blocks searched for the transaction that used a nonce, where nodes keep no old state.");
    add(table, "connector.hashRecomputation", on_or_off(),
        at(&ChainSettings::connector, &ConnectorAbilities::hash_recomputation),
        "The connector, which signs itself, can compute a transaction's hash without sending it.");
    add(table, "connector.queryByNonce", on_or_off(),
        at(&ChainSettings::connector, &ConnectorAbilities::query_by_nonce),
        "The connector, which signs itself, can report the transaction that it sent at a nonce.");
}

void add_blocks(Keys<ChainSettings>& table) {
    add(table, "confirmations.blockQueueLength", count(16, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::max_window), "Maximum number of blocks kept in memory.");
    add(table, "confirmations.notificationQueueLength", count(16, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::queue_length),
        "Maximum number of block notifications queued for a reader.");
    add(table, "heads.pollInterval", duration(milliseconds(10), hours(1)),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::poll_interval), "How often new blocks are polled.");
    add(table, "heads.longestPause", duration(milliseconds(10), hours(1)),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::max_pause),
        "Maximum poll interval; the interval doubles after each failure.");
    add(table, "heads.finalityDepth", count(1, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::finality_depth),
        "Depth at which a block is final, on chains without the finalized tag.");
}

void add_prices(Keys<ChainSettings>& table) {
    add(table, "fees.kind", choice<evm::FeeOptions::Kind>(), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::kind),
        "The fee model of the chain.");
    add(table, "fees.historyBlocks", count(1, 1024), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::history_blocks),
        "Number of recent blocks from which the tip is estimated.");
    add(table, "fees.baseFeeMultiplier", permille(1000, 100'000),
        of_chain(&EvmChainOptions::fees, &evm::FeeOptions::base_fee_permille),
        "The maximum fee is the base fee times this, plus the tip.");
    add(table, "fees.minTip", amount(), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::min_tip),
        "Minimum tip per gas.");
    add(table, "gas.multiplier", permille(1000, 10'000),
        of_chain(&EvmChainOptions::gas, &evm::GasOptions::factor_permille),
        "The gas limit is the estimate times this.");
}

}  // namespace

const Keys<ChainSettings>& chain_keys() {
    static const auto table = [] {
        Keys<ChainSettings> keys;
        add_calls(keys);
        add_blocks(keys);
        add_prices(keys);
        return keys;
    }();
    return table;
}

const Keys<ChainIdentity>& chain_identity_keys() {
    using Owner = ChainIdentity;
    static const Keys<Owner> table{
        key<Owner>("id", count(1), at(&Owner::id), "The chain id (EIP-155), for example 1 for Ethereum."),
        key<Owner>("genesis", block_hash(), at(&Owner::genesis),
                   "The hash of the genesis block; an endpoint with another one is not used."),
        key<Owner>("rpc.url", http_url(), at(&Owner::url),
                   "URL of the only endpoint; use endpoints for several endpoints or for headers.", Printing::never),
        key<Owner>(
            "connector.url", http_url(), at(&Owner::connector, &ConnectorConfig::url),
            "A node, or a signing proxy, that holds keys, and signs and sends in one call (eth_sendTransaction).",
            Printing::never),
        key<Owner>("connector.headers", headers(), at(&Owner::connector, &ConnectorConfig::headers),
                   "Headers sent with every request to the connector.", Printing::never),
        key<Owner>("connector.caFile", text(), at(&Owner::connector, &ConnectorConfig::ca_file),
                   "Certificate authorities (PEM) in addition to the system's."),
        key<Owner>("connector.accounts", addresses(), at(&Owner::connector, &ConnectorConfig::accounts),
                   "The addresses whose keys the connector holds.")};
    return table;
}

const Keys<EndpointIdentity>& endpoint_keys() {
    using Owner = EndpointIdentity;
    static const Keys<Owner> table{
        key<Owner>("url", http_url(), at(&Owner::url), "JSON-RPC URL.", Printing::never),
        key<Owner>("headers", headers(), at(&Owner::headers), "Headers sent with every request.", Printing::never),
        key<Owner>("caFile", text(), at(&Owner::ca_file), "Certificate authorities (PEM) in addition to the system's."),
        key<Owner>("webSocket", web_socket_url(), at(&Owner::web_socket),
                   "WebSocket URL for new blocks; without it, blocks are polled.", Printing::never)};
    return table;
}

}  // namespace fencepost::config
