// The chain's network: the ledger, its endpoints, gossip between them, and the miner. It is a process of its own, so
// that what a node has sent still arrives when the node is dead.
//
// A scenario makes a World, a SimNetwork with endpoints, and a SimChain for each simulated node. The network must not
// be moved and must outlive the world's run.
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
    /// How long an accepted transaction takes to reach another endpoint; none: it never does.
    std::optional<Latency> gossip =
        Latency{.least = std::chrono::milliseconds(20), .most = std::chrono::milliseconds(200)};
};

class SimNetwork {
public:
    explicit SimNetwork(World& world, NetworkOptions options = {});
    SimNetwork(const SimNetwork&) = delete;
    SimNetwork& operator=(const SimNetwork&) = delete;

    SimEndpoint& add_endpoint(EndpointOptions options);
    /// The target of endpoints with Destination::sequencer. No node of ours reaches it, and it does not gossip.
    SimEndpoint& add_sequencer(EndpointOptions options = {.name = "sequencer"});

    // Actions on the chain.

    const SimBlock& mine();
    void mine(std::size_t blocks);
    void reorg(const Reorg& reorg);
    /// For World::spawn on process().
    [[nodiscard]] Task<void> mine_every(Duration interval);
    /// Removes it from every mempool. False when none had it.
    bool evict(const TxHash& hash);
    /// Restarts the endpoint's process.
    void restart(SimEndpoint& endpoint);
    /// An external sender submits these bytes to every endpoint at once.
    Verdict inject(const Bytes& raw);

    // Queries.

    [[nodiscard]] World& world() { return world_; }
    /// Runs the chain's own tasks.
    [[nodiscard]] SimNode& process() { return process_; }
    [[nodiscard]] SimLedger& ledger() { return ledger_; }
    [[nodiscard]] const std::vector<std::unique_ptr<SimEndpoint>>& endpoints() const { return endpoints_; }
    [[nodiscard]] SimEndpoint& endpoint(std::size_t index) { return *endpoints_.at(index); }
    [[nodiscard]] WireRecord& record() { return record_; }
    [[nodiscard]] const std::shared_ptr<HeadWakeups>& head_wakeups() const { return head_wakeups_; }

    // For SimChain.

    using Answer = std::function<void(std::vector<Verdict>)>;
    /// Delivers the transactions to the endpoint. The answer is given on the network's process, or never.
    void transmit(const std::string& node, SimEndpoint& endpoint, std::vector<WireTx> transactions, Answer answer);

private:
    struct Transmission;

    [[nodiscard]] std::uint64_t arrival_of(const TxHash& hash) const;
    void after(Duration delay, std::function<void()> action);
    void arrive(const std::shared_ptr<Transmission>& transmission);
    [[nodiscard]] Verdict evaluate(const Transmission& transmission, const WireTx& transaction);
    /// Processes the transactions in order until one has to wait for its block; answers when all are processed.
    void evaluate_rest(const std::shared_ptr<Transmission>& transmission);
    /// Adds to the endpoint's pool, or to where the endpoint forwards.
    Verdict deliver(SimEndpoint& endpoint, const WireTx& transaction);
    Verdict add_to_pool(SimEndpoint& endpoint, const WireTx& transaction);
    void recheck_locals_later(SimEndpoint& endpoint);
    void wait_for_block(const std::shared_ptr<Transmission>& transmission, Verdict verdict);
    void answer_included();
    void reject_gapped(const std::shared_ptr<Transmission>& transmission, std::size_t index);
    /// All endpoints, including the sequencer.
    [[nodiscard]] std::vector<SimEndpoint*> pools() const;
    void gossip(SimEndpoint& from, const WireTx& transaction);
    void announce_head();

    World& world_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    NetworkOptions options_;
    SimLedger ledger_;
    std::shared_ptr<HeadWakeups> head_wakeups_;
    std::vector<std::unique_ptr<SimEndpoint>> endpoints_;
    std::unique_ptr<SimEndpoint> sequencer_;
    std::set<SimEndpoint*> promoting_;
    std::map<SimEndpoint*, Instant> rechecks_;
    /// Transmissions whose transaction waits for its block, in order of arrival.
    struct Waiting {
        std::shared_ptr<Transmission> transmission;
        Verdict verdict;
    };
    std::vector<Waiting> waiting_;
    WireRecord record_;
    /// The order in which transactions first reached an endpoint.
    std::unordered_map<TxHash, std::uint64_t> arrivals_;
};

}  // namespace fencepost::sim
