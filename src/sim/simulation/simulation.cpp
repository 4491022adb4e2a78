#include "sim/simulation/simulation.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fencepost::sim {

using namespace std::chrono_literals;

namespace {

const Uint256 plenty = Uint256(1'000'000'000) * Uint256(1'000'000'000) * Uint256(100'000);

}  // namespace

/// What nodes count of themselves goes into the report, too: a run in which no lane was ever fenced shows little.
class Simulation::Counter final : public Telemetry {
public:
    explicit Counter(Counts& counts) : counts_(counts) {}
    void count(fencepost::Counter counter, std::string_view label, std::uint64_t by) override {
        if (counter == fencepost::Counter::lease_acquire && label == "renewed") return;
        counts_[fmt::format("{}{{{}}}", name_of(counter), label)] += by;
    }

private:
    Counts& counts_;
};

RunReport simulate(const Settings& settings, Story* story) { return Simulation(settings, story).run(); }

Simulation::Simulation(const Settings& settings, Story* story)
    : settings_(settings),
      story_(story),
      telemetry_(std::make_unique<Counter>(counts_)),
      world_(settings.seed),
      network_(world_, settings.network),
      database_(world_, settings.database),
      signer_(settings.network.ledger.chain_id, settings.seed, &network_.ledger().cache()),
      submitters_(make_submitters()),
      wakeups_(world_),
      chain_checker_(world_, network_.ledger(), judge_),
      store_checker_(world_, chain_checker_, settings_.lane, judge_),
      wire_checker_(world_, database_, store_checker_, judge_),
      event_checker_(world_, judge_),
      cluster_(node_parts()),
      clients_(world_, cluster_, settings_, submitters_, judge_, counts_),
      faults_({.world = world_,
               .network = network_,
               .database = database_,
               .signer = signer_,
               .cluster = cluster_,
               .chain = chain_checker_,
               .settings = settings_,
               .submitters = submitters_,
               .counts = counts_}),
      reader_(world_.start_node("reader")),
      reader_clock_(reader_),
      reader_store_(reader_, database_) {
    wakeups_.lose_one_in(settings_.faults.lost_wakeups_one_in);
    database_.watch([this](const DatabaseEvent& event) { see(event); });
    network_.record().watch([this](const WireEntry& entry) {
        wire_checker_.see(entry);
        if (story_ != nullptr) story_->see(entry);
    });
    world_.spawn(network_.process(), mine());
    world_.spawn(reader_, event_checker_.read(&reader_store_, &reader_clock_));
}

// As a crash of everything: what nodes were doing is destroyed where it stands.
Simulation::~Simulation() { cluster_.kill_all(); }

std::vector<SubmitterId> Simulation::make_submitters() {
    auto& ledger = network_.ledger();
    ledger.add_contract(Clients::good_contract(), always_succeeds());
    ledger.add_contract(Clients::bad_contract(), always_reverts("not today"));
    for (std::size_t i = 0; i < settings_.endpoints; ++i) {
        network_.add_endpoint({.name = fmt::format("endpoint-{}", i),
                               .latency = settings_.endpoint_latency,
                               .faults = settings_.faults.chain});
    }
    std::vector<SubmitterId> submitters;
    for (std::size_t i = 0; i < settings_.submitters; ++i) {
        submitters.push_back(signer_.submitter(i));
        ledger.fund(*submitters.back().evm_address(), plenty);
    }
    return submitters;
}

SimulatedNode::Parts Simulation::node_parts() {
    return {.world = world_,
            .network = network_,
            .database = database_,
            .signer = signer_,
            .wakeups = wakeups_,
            .telemetry = *telemetry_,
            .log = log_,
            .settings = settings_};
}

Task<void> Simulation::mine() {
    SimClock clock(network_.process());
    while (true) {
        co_await clock.sleep_for(settings_.block_interval);
        network_.mine();
        chain_checker_.look();
    }
}

void Simulation::see(const DatabaseEvent& event) {
    store_checker_.see(event);
    check_stop(event);
    if (story_ != nullptr) story_->see(world_.now(), event);
}

RunReport Simulation::run() {
    run_storm();
    if (judge_.is_content()) run_calm();
    if (judge_.is_content()) check_end();
    add_counts();
    return {.seed = settings_.seed,
            .settings = settings_.describe(),
            .violation = judge_.violation(),
            .counts = counts_,
            .trace_hash = world_.trace_hash(),
            .steps = world_.steps(),
            .virtual_time = world_.now().time_since_epoch()};
}

void Simulation::run_storm() {
    const auto end = world_.now() + settings_.stormy;
    while (judge_.is_content() && world_.now() < end)
        world_.run_for(std::min<Duration>(1s, end - world_.now()));
}

void Simulation::run_calm() {
    faults_.calm_down();
    wakeups_.lose_one_in(0);
    clients_.calm_down();
    const auto deadline = world_.now() + settings_.calm;
    while (judge_.is_content() && !is_settled()) {
        if (world_.now() >= deadline) return blame_what_waits();
        world_.run_for(1s);
    }
    // Until everything is finalized, and nobody watches anything any more.
    const auto rest = settings_.block_interval * static_cast<int>(settings_.network.ledger.finalized_lag + 5) + 30s;
    for (const auto until = world_.now() + rest; judge_.is_content() && world_.now() < until;)
        world_.run_for(1s);
}

void Simulation::add_counts() {
    for (const auto& [name, field] : DatabaseCounts::fields())
        counts_[fmt::format("database {}", name)] += database_.counts().*field;
    counts_["wake-ups lost"] += wakeups_.lost();
    counts_["commits checked"] += store_checker_.commits();
    counts_["transactions"] += store_checker_.transactions().size();
    counts_["blocks"] += network_.ledger().head().number().value();
    counts_["bytes seen leaving"] += network_.record().entries().size();
}

}  // namespace fencepost::sim
