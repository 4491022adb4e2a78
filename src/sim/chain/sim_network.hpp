// The chain's network: the ledger, its endpoints, gossip between them, and the miner. It is a process of its own: what
// a node sent goes on travelling when the node is dead.
//
// A scenario makes a World, a SimNetwork with endpoints, and for each simulated node a SimChain. It must not be moved,
// and stands as long as the world runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/chain/sim_endpoint.hpp"
#include "sim/chain/wire_record.hpp"
#include "sim/ledger/sim_ledger.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::sim {

struct NetworkOptions {
    LedgerOptions ledger{};
    /// How long it takes for an accepted transaction to reach another endpoint; none: it never does.
    std::optional<Latency> gossip =
        Latency{.least = std::chrono::milliseconds(20), .most = std::chrono::milliseconds(200)};
};

class SimNetwork {
public:
    explicit SimNetwork(World& world, NetworkOptions options = {});
    SimNetwork(const SimNetwork&) = delete;
    SimNetwork& operator=(const SimNetwork&) = delete;

    SimEndpoint& add_endpoint(EndpointOptions options);
    /// What endpoints with Destination::sequencer forward to. No node of ours reaches it, and it tells nobody of its
    /// pool.
    SimEndpoint& add_sequencer(EndpointOptions options = {.name = "sequencer"});

    // What happens on the chain.

    const SimBlock& mine();
    void mine(std::size_t blocks);
    void reorg(const Reorg& reorg);
    /// For World::spawn on process().
    [[nodiscard]] Task<void> mine_every(Duration interval);
    /// Forgets it in every mempool. False when none had it.
    bool evict(const TxHash& hash);
    /// The endpoint's process ends and starts again.
    void restart(SimEndpoint& endpoint);
    /// Somebody else, who is no node of ours, gives these bytes to every endpoint at once.
    Verdict inject(const Bytes& raw);

    // What is.

    [[nodiscard]] World& world() { return world_; }
    /// Where tasks of the chain's own run.
    [[nodiscard]] SimNode& process() { return process_; }
    [[nodiscard]] SimLedger& ledger() { return ledger_; }
    [[nodiscard]] const std::vector<std::unique_ptr<SimEndpoint>>& endpoints() const { return endpoints_; }
    [[nodiscard]] SimEndpoint& endpoint(std::size_t index) { return *endpoints_.at(index); }
    [[nodiscard]] WireRecord& record() { return record_; }
    [[nodiscard]] const std::shared_ptr<HeadBells>& bells() const { return bells_; }

    // For SimChain.

    using Answer = std::function<void(std::vector<Verdict>)>;
    /// Takes the transactions to the endpoint. The answer is given on the network's process, if one ever comes.
    void transmit(const std::string& node, SimEndpoint& endpoint, std::vector<WireTx> transactions, Answer answer);

private:
    struct Parcel;

    [[nodiscard]] std::uint64_t arrival_of(const TxHash& hash) const;
    void after(Duration delay, std::function<void()> action);
    void arrive(const std::shared_ptr<Parcel>& parcel);
    [[nodiscard]] Verdict judge(const Parcel& parcel, const WireTx& transaction);
    /// One after the other, until one has to wait for its block; the answer when all are judged.
    void judge_rest(const std::shared_ptr<Parcel>& parcel);
    /// Into the endpoint's pool, or where the endpoint sends it.
    Verdict deliver(SimEndpoint& endpoint, const WireTx& transaction);
    Verdict add_to_pool(SimEndpoint& endpoint, const WireTx& transaction);
    void recheck_locals_later(SimEndpoint& endpoint);
    void wait_for_block(const std::shared_ptr<Parcel>& parcel, Verdict verdict);
    void answer_included();
    void give_up_on_gap(const std::shared_ptr<Parcel>& parcel, std::size_t index);
    /// All, also the one that no node reaches.
    [[nodiscard]] std::vector<SimEndpoint*> pools() const;
    void gossip(SimEndpoint& from, const WireTx& transaction);
    void tell_of_head();

    World& world_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    NetworkOptions options_;
    SimLedger ledger_;
    std::shared_ptr<HeadBells> bells_;
    std::vector<std::unique_ptr<SimEndpoint>> endpoints_;
    std::unique_ptr<SimEndpoint> sequencer_;
    std::set<SimEndpoint*> promoting_;
    std::map<SimEndpoint*, Instant> rechecks_;
    /// Parcels whose transaction waits for its block, in the order in which they came.
    struct Waiting {
        std::shared_ptr<Parcel> parcel;
        Verdict verdict;
    };
    std::vector<Waiting> waiting_;
    WireRecord record_;
    /// In which order transactions first reached an endpoint.
    std::unordered_map<TxHash, std::uint64_t> arrivals_;
};

}  // namespace fencepost::sim
