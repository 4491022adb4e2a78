// Endpoints that handle or show what waits in another way than a plain geth.
#pragma once

#include <string>

#include "sim/chain/sim_endpoint.hpp"

namespace fencepost::sim {

/// Takes transactions for the miners and shows none of them until it is mined.
inline EndpointOptions send_only_relay(std::string name) {
    return {.name = std::move(name), .gossips = false, .display = PoolDisplay::hides};
}

/// A replica of the OP stack, beside SimNetwork::add_sequencer(). It shows a pool of its own, which says nothing about
/// the sequencer's, or none (op-geth with --rollup.disabletxpooladmission).
inline EndpointOptions op_replica(std::string name, PoolDisplay display = PoolDisplay::hides) {
    return {.name = std::move(name),
            .feeds_miners = false,
            .gossips = false,
            .display = display,
            .destination = Destination::sequencer};
}

/// No mempool: a send is answered when the transaction is in a block, one after the other also in a batch, and one with
/// a nonce that is too high is refused when those before it do not come. The chain's gas limit and its 250 ms blocks
/// are the ledger's and the miner's business.
inline EndpointOptions arbitrum_like(std::string name) {
    return {.name = std::move(name),
            .gossips = false,
            .display = PoolDisplay::hides,
            .destination = Destination::blocks,
            .promotion_delay = {}};
}

inline EndpointOptions nethermind_like(std::string name) {
    return {.name = std::move(name), .display = PoolDisplay::keeps_dropped};
}

inline EndpointOptions erigon_like(std::string name) {
    return {.name = std::move(name), .display = PoolDisplay::counts_gaps};
}

}  // namespace fencepost::sim
