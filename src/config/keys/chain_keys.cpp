// Keys about a chain and how it is reached. Those of a chain's settings may stand at the top, too, for all chains.
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
        of_chain(&EvmChainOptions::pool, &PoolOptions::time_limit), "The longest a question to the chain may take.");
    add(table, "rpc.maxInFlight", count(1, 10'000), at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_in_flight),
        "How many calls to one endpoint may be under way.");
    add(table, "rpc.maxBatch", count(1, 10'000), at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_batch),
        "How many calls go into one request; some providers take fewer.");
    add(table, "rpc.maxResponseSize", size(1024, 1024 * mebibyte),
        at(&ChainSettings::rpc, &HttpJsonRpcOptions::max_response_bytes), "A longer answer is refused.");
    add(table, "rpc.headInterval", duration(milliseconds(100), hours(1)),
        of_chain(&EvmChainOptions::pool, &PoolOptions::head_interval),
        "How often each endpoint is asked how high it is.");
    add(table, "rpc.maxLag", count(), of_chain(&EvmChainOptions::pool, &PoolOptions::max_lag),
        "An endpoint that is further behind, in blocks, is asked only when no other can.");
    add(table, "rpc.scanBlocks", count(0, 1'000'000),
        of_chain(&EvmChainOptions::nonce_history, &evm::NonceHistoryOptions::scan_blocks),
        "So many blocks are read to find who used a nonce, where nodes keep no old state.");
    add(table, "connector.hashRecomputation", on_or_off(),
        at(&ChainSettings::connector, &ConnectorAbilities::hash_recomputation),
        "A connector that signs by itself can tell a transaction's hash without sending it.");
    add(table, "connector.queryByNonce", on_or_off(),
        at(&ChainSettings::connector, &ConnectorAbilities::query_by_nonce),
        "A connector that signs by itself can tell what it sent at a nonce.");
}

void add_blocks(Keys<ChainSettings>& table) {
    add(table, "confirmations.blockQueueLength", count(16, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::max_window), "The most blocks that are kept in memory.");
    add(table, "confirmations.notificationQueueLength", count(16, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::queue_length),
        "The most news of blocks that wait for whoever reads them.");
    add(table, "heads.pollInterval", duration(milliseconds(10), hours(1)),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::poll_interval), "How often new blocks are looked for.");
    add(table, "heads.longestPause", duration(milliseconds(10), hours(1)),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::longest_pause),
        "After failures that interval doubles up to this.");
    add(table, "heads.finalityDepth", count(1, 1'000'000),
        of_chain(&EvmChainOptions::follower, &FollowerOptions::finality_depth),
        "So many blocks down is final, on chains that do not say themselves what is.");
}

void add_prices(Keys<ChainSettings>& table) {
    add(table, "fees.kind", choice<evm::FeeOptions::Kind>(), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::kind),
        "How the chain wants to be paid.");
    add(table, "fees.historyBlocks", count(1, 1024), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::history_blocks),
        "Tips are judged by so many blocks.");
    add(table, "fees.baseFeeMultiplier", permille(1000, 100'000),
        of_chain(&EvmChainOptions::fees, &evm::FeeOptions::base_fee_permille),
        "The fee offered is the base fee times this, and the tip.");
    add(table, "fees.minTip", amount(), of_chain(&EvmChainOptions::fees, &evm::FeeOptions::min_tip),
        "The least tip for a unit of gas.");
    add(table, "gas.multiplier", permille(1000, 10'000),
        of_chain(&EvmChainOptions::gas, &evm::GasOptions::factor_permille), "A gas limit is the estimate times this.");
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
        key<Owner>("id", count(1), at(&Owner::id), "The chain's id (EIP-155), as in 1 for Ethereum."),
        key<Owner>("genesis", block_hash(), at(&Owner::genesis),
                   "The hash of its first block; an endpoint of another chain is not used."),
        key<Owner>("rpc.url", http_url(), at(&Owner::url),
                   "Its only endpoint; several, or one with headers, stand under endpoints.", Shown::never),
        key<Owner>("connector.url", http_url(), at(&Owner::connector, &ConnectorConfig::url),
                   "A node, or a service before it, that holds keys, signs and sends in one (eth_sendTransaction).",
                   Shown::never),
        key<Owner>("connector.headers", headers(), at(&Owner::connector, &ConnectorConfig::headers),
                   "Sent with every request to it.", Shown::never),
        key<Owner>("connector.caFile", text(), at(&Owner::connector, &ConnectorConfig::ca_file),
                   "Certificate authorities (PEM) besides the system's."),
        key<Owner>("connector.accounts", addresses(), at(&Owner::connector, &ConnectorConfig::accounts),
                   "The addresses whose keys it holds.")};
    return table;
}

const Keys<EndpointIdentity>& endpoint_keys() {
    using Owner = EndpointIdentity;
    static const Keys<Owner> table{
        key<Owner>("url", http_url(), at(&Owner::url), "Where it answers JSON-RPC.", Shown::never),
        key<Owner>("headers", headers(), at(&Owner::headers), "Sent with every request.", Shown::never),
        key<Owner>("caFile", text(), at(&Owner::ca_file), "Certificate authorities (PEM) besides the system's."),
        key<Owner>("webSocket", web_socket_url(), at(&Owner::web_socket),
                   "Where it tells of new blocks; without it they are polled.", Shown::never)};
    return table;
}

}  // namespace fencepost::config
