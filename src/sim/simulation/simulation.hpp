// One run: a cluster of real nodes in one thread and virtual time. First come the faults that the seed drew; then
// faults stop and everything must settle. The laws are checked at every commit, every transmission and every block.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "sim/simulation/chain_checker.hpp"
#include "sim/simulation/clients.hpp"
#include "sim/simulation/event_checker.hpp"
#include "sim/simulation/fault_driver.hpp"
#include "sim/simulation/outage_checker.hpp"
#include "sim/simulation/settings.hpp"
#include "sim/simulation/story.hpp"
#include "sim/simulation/wire_checker.hpp"

namespace fencepost::sim {

/// Recording a transaction's history does not change the run.
[[nodiscard]] RunReport simulate(const Settings& settings, Story* story = nullptr);

class Simulation {
public:
    Simulation(const Settings& settings, Story* story);
    ~Simulation();

    [[nodiscard]] RunReport run();

private:
    [[nodiscard]] std::vector<SubmitterId> make_submitters();
    [[nodiscard]] SimulatedNode::Parts node_parts();
    [[nodiscard]] Task<void> mine();
    void see(const DatabaseEvent& event);
    void use_connector();
    [[nodiscard]] bool has_work(const SubmitterId& submitter);
    /// Context for the message of a failed assertion.
    [[nodiscard]] std::string describe_moment() const;
    void run_storm();
    void run_a_second(Instant end);
    void run_calm();
    [[nodiscard]] bool is_settled();
    [[nodiscard]] bool are_active() const;
    [[nodiscard]] bool is_nothing_left();
    [[nodiscard]] bool has_forked(const SubmitterId& submitter) const;
    [[nodiscard]] bool is_done(const KnownTx& tx);
    void check_stop(const DatabaseEvent& event);
    void blame_what_waits();
    void check_end();
    void check_promise(const Request& request);
    void check_settled(TxId id, const KnownTx& tx);
    void check_verdict_is_told(TxId id, const KnownTx& tx);
    void check_nonces(const SubmitterId& submitter);
    void check_outsider_was_noticed(const SubmitterId& submitter, Nonce nonce);
    void add_counts();

    class Counter;
    class Ear;
    class Waker;

    Settings settings_;
    Story* story_;
    World world_;
    Judge judge_;
    Counts counts_;
    std::unique_ptr<Counter> telemetry_;
    std::unique_ptr<Ear> log_;
    std::unique_ptr<Waker> alerts_;
    SimNetwork network_;
    SimDatabase database_;
    SimSigner signer_;
    SimKeyHolder key_holder_;
    std::vector<SubmitterId> submitters_;
    WakeupHub wakeups_;
    std::set<SubmitterId> standing_still_;  // paused or protected
    ChainChecker chain_checker_;
    StoreChecker store_checker_;
    WireChecker wire_checker_;
    EventChecker event_checker_;
    OutageChecker outage_checker_;
    Cluster cluster_;
    Clients clients_;
    FaultDriver faults_;
    SimNode& reader_;
    SimClock reader_clock_;
    SimStore reader_store_;
};

}  // namespace fencepost::sim
