// Endpoints that handle or show pending transactions differently from a plain geth.
#pragma once

#include <string>

#include "sim/chain/sim_endpoint.hpp"

namespace fencepost::sim {

/// Accepts transactions for the miners and shows none of them until they are mined.
inline EndpointOptions send_only_relay(std::string name) {
    return {.name = std::move(name), .gossips = false, .display = PoolDisplay::hides};
}

/// A replica of the OP stack, next to SimNetwork::add_sequencer(). Its own pool says nothing about the sequencer's
/// pool; with op-geth's --rollup.disabletxpooladmission it shows none.
inline EndpointOptions op_replica(std::string name, PoolDisplay display = PoolDisplay::hides) {
    return {.name = std::move(name),
            .feeds_miners = false,
            .gossips = false,
            .display = display,
            .destination = Destination::sequencer};
}

/// No mempool: a send is answered when the transaction is in a block. A batch is handled one transaction at a time, and
/// a nonce that is too high is refused when the lower ones do not arrive in time. The gas limit and the block interval
/// (250 ms on Arbitrum) are set in the ledger and the miner.
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
