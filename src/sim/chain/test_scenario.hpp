// A simulated chain with two endpoints and one node, for tests.
#pragma once

#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_signer.hpp"

namespace fencepost::sim::test {

inline constexpr std::uint64_t gwei = 1'000'000'000;
inline const Uint256 ether = Uint256(gwei) * Uint256(gwei);

inline DynamicFee fee_of(std::uint64_t max_gwei, std::uint64_t tip_gwei) {
    return {.max_fee = Wei(max_gwei * gwei), .max_priority_fee = Wei(tip_gwei * gwei)};
}

inline Address address(std::uint8_t number) {
    Address result;
    result.data.fill(number);
    return result;
}

/// A transfer of 1 wei; a test overrides the fields that matter to it.
struct TxFields {
    std::uint64_t nonce = 0;
    Fees fees = fee_of(10, 2);
    std::optional<Address> to = address(9);
    Uint256 value = 1;
    Bytes data{};
    std::uint64_t gas = 100'000;
};

inline UnsignedTransaction unsigned_of(const SubmitterId& from, const TxFields& fields) {
    return {.from = from,
            .nonce = Nonce(fields.nonce),
            .to = fields.to ? std::optional(fields.to->to_lower()) : std::nullopt,
            .value = Wei(fields.value),
            .data = fields.data,
            .gas_limit = Gas(fields.gas),
            .fees = fields.fees};
}

/// A batch from one account, starting at this nonce.
inline SendBatch batch_of(const SubmitterId& from, std::vector<Bytes> raws, std::uint64_t nonce = 0) {
    SendBatch batch{.from = from, .items = {}};
    for (auto& raw : raws)
        batch.items.push_back({Nonce(nonce++), std::move(raw)});
    return batch;
}

template <typename T>
Task<void> keep_result(Task<T> task, std::optional<T>* result) {
    *result = co_await std::move(task);
}

struct Scenario {
    explicit Scenario(std::uint64_t seed = 1, NetworkOptions options = {})
        : world(seed),
          network(world, std::move(options)),
          one(network.add_endpoint({.name = "one"})),
          two(network.add_endpoint({.name = "two"})),
          node(world.start_node("node")),
          chain(node, network),
          signer(network.ledger().options().chain_id, seed, &network.ledger().cache()),
          alice(signer.submitter(0)),
          bob(signer.submitter(1)) {
        fund(alice, ether);
        fund(bob, ether);
    }

    void fund(const SubmitterId& submitter, const Uint256& amount) {
        network.ledger().fund(*submitter.evm_address(), amount);
    }
    SimTxPtr tx(const SubmitterId& from, const TxFields& fields) {
        return *network.ledger().cache().decode(signer.sign_now(unsigned_of(from, fields)).raw).decoded;
    }

    /// Runs the task on the node until it ends.
    template <typename T>
    T run(Task<T> task) {
        std::optional<T> result;
        world.spawn(node, keep_result(std::move(task), &result));
        for (int i = 0; i < 100'000 && !result; ++i)
            world.run_for(std::chrono::milliseconds(1));
        EXPECT_TRUE(result.has_value()) << "the task did not end";
        return *std::move(result);
    }

    World world;
    SimNetwork network;
    SimEndpoint& one;
    SimEndpoint& two;
    SimNode& node;
    SimChain chain;
    SimSigner signer;
    SubmitterId alice;
    SubmitterId bob;
};

}  // namespace fencepost::sim::test
