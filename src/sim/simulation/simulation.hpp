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
#include "sim/simulation/timeline.hpp"
#include "sim/simulation/wire_checker.hpp"

namespace fencepost::sim {

/// Recording a transaction's history does not change the run.
[[nodiscard]] RunReport simulate(const Settings& settings, Timeline* timeline = nullptr);

class Simulation {
public:
    Simulation(const Settings& settings, Timeline* timeline);
    ~Simulation();

    [[nodiscard]] RunReport run();

private:
    [[nodiscard]] std::vector<SubmitterId> make_submitters();
    [[nodiscard]] SimulatedNode::Dependencies node_dependencies();
    [[nodiscard]] Task<void> mine();
    void see(const DatabaseEvent& event);
    void use_connector();
    [[nodiscard]] bool has_work(const SubmitterId& submitter);
    /// Context for the message of a failed assertion.
    [[nodiscard]] std::string describe_position() const;
    void run_fault_phase();
    void run_one_second(Instant end);
    void run_settling_phase();
    [[nodiscard]] bool is_settled();
    [[nodiscard]] bool all_submitters_active() const;
    [[nodiscard]] bool has_no_work_left();
    [[nodiscard]] bool has_forked(const SubmitterId& submitter) const;
    [[nodiscard]] bool is_done(const KnownTx& tx);
    void check_stop(const DatabaseEvent& event);
    void report_unsettled();
    void check_end();
    void check_acknowledgement(const Request& request);
    void check_settled(TxId id, const KnownTx& tx);
    void check_verdict_events(TxId id, const KnownTx& tx);
    void check_nonces(const SubmitterId& submitter);
    void check_external_use_detected(const SubmitterId& submitter, Nonce nonce);
    void add_counts();

    class Counter;
    class AlertLogMonitor;
    class AlertCounter;

    Settings settings_;
    Timeline* timeline_;
    World world_;
    ViolationRecorder violations_;
    Counts counts_;
    std::unique_ptr<Counter> telemetry_;
    std::unique_ptr<AlertLogMonitor> log_;
    std::unique_ptr<AlertCounter> alerts_;
    SimNetwork network_;
    SimDatabase database_;
    SimSigner signer_;
    SimKeyHolder key_holder_;
    std::vector<SubmitterId> submitters_;
    WakeupHub wakeups_;
    std::set<SubmitterId> inactive_submitters_;  // paused or protected
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
