#include "sim/simulation/simulation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lane/host/run_guarded.hpp"
#include "sim/store/run_now.hpp"

namespace fencepost::sim {

using namespace std::chrono_literals;

namespace {

// The largest legitimate backlog: a few tasks for each of 6 lanes, 80 callers and some commands. The maximum seen in
// 400 seeds is 84.
constexpr std::size_t max_backlog = 500;

}  // namespace

/// The report includes the nodes' own metrics: a run in which no lane was ever fenced proves little.
class Simulation::Counter final : public Telemetry {
public:
    explicit Counter(Counts& counts) : counts_(counts) {}
    void count(fencepost::Counter counter, std::string_view label, std::uint64_t by) override {
        if (counter == fencepost::Counter::lease_acquire && label == "renewed") return;
        // Summed over all submitters.
        const auto kept = label_of(counter) == "submitter" ? "" : label;
        counts_[fmt::format("{}{{{}}}", name_of(counter), kept)] += by;
    }

private:
    Counts& counts_;
};

/// Receives the log lines meant for an operator. An exception in a node is a bug, however well the node recovered from
/// it.
class Simulation::AlertLogMonitor final : public Log {
public:
    AlertLogMonitor(World& world, ViolationRecorder& violations, Counts& counts)
        : world_(world),
          violations_(violations),
          counts_(counts) {}
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        if (severity != Severity::alert) return;
        ++counts_[fmt::format("alert: {}", message)];
        for (const auto& field : fields) {
            if (field.name == lane::exception_field) {
                violations_.report(world_.now(), "no part of a node throws",
                                   fmt::format("{}: {}", message, field.value));
            }
        }
    }

    [[nodiscard]] bool enabled(Severity severity) const override { return severity == Severity::alert; }

private:
    World& world_;
    ViolationRecorder& violations_;
    Counts& counts_;
};

class Simulation::AlertCounter final : public Alerts {
public:
    explicit AlertCounter(Counts& counts) : counts_(counts) {}
    void raise(Alert alert) override { ++counts_[fmt::format("alerts of {}", name_of(alert.kind))]; }

private:
    Counts& counts_;
};

RunReport simulate(const Settings& settings, Timeline* timeline) { return Simulation(settings, timeline).run(); }

Simulation::Simulation(const Settings& settings, Timeline* timeline)
    : settings_(settings),
      timeline_(timeline),
      world_(settings.seed),
      violations_([this] { world_.stop(); }),
      telemetry_(std::make_unique<Counter>(counts_)),
      log_(std::make_unique<AlertLogMonitor>(world_, violations_, counts_)),
      alerts_(std::make_unique<AlertCounter>(counts_)),
      network_(world_, settings.network),
      database_(world_, settings.database),
      signer_(settings.network.ledger.chain_id, settings.seed, &network_.ledger().cache()),
      key_holder_(network_, signer_, settings.seed),
      submitters_(make_submitters()),
      wakeups_(world_),
      chain_checker_(world_, network_, violations_),
      store_checker_(world_, chain_checker_, settings_.lane, violations_),
      wire_checker_(world_, database_, store_checker_, violations_),
      event_checker_(world_, violations_),
      outage_checker_(
          world_, [this](const auto& submitter) { return has_work(submitter); }, violations_),
      cluster_(node_dependencies()),
      clients_(world_, cluster_, database_.truth(), settings_, submitters_, store_checker_, violations_, counts_),
      faults_({.world = world_,
               .network = network_,
               .database = database_,
               .signer = signer_,
               .cluster = cluster_,
               .chain = chain_checker_,
               .outage = outage_checker_,
               .settings = settings_,
               .submitters = submitters_,
               .counts = counts_}),
      reader_(world_.start_node("reader")),
      reader_clock_(reader_),
      reader_store_(reader_, database_) {
    wakeups_.lose_one_in(settings_.faults.lost_wakeups_one_in);
    chain_checker_.set_owner_lookup([this](const TxHash& hash) { return store_checker_.owner_of(hash); });
    database_.watch([this](const DatabaseEvent& event) { see(event); });
    network_.record().watch([this](const WireEntry& entry) {
        wire_checker_.see(entry);
        if (timeline_ != nullptr) timeline_->see(entry);
    });
    use_connector();
    world_.spawn(network_.process(), mine());
    world_.spawn(reader_, event_checker_.read(&reader_store_, &reader_clock_));
}

// As if everything crashed: running tasks are destroyed where they are suspended.
Simulation::~Simulation() { cluster_.kill_all(); }

std::vector<SubmitterId> Simulation::make_submitters() {
    auto& ledger = network_.ledger();
    ledger.add_contract(Clients::good_contract(), always_succeeds());
    ledger.add_contract(Clients::bad_contract(), always_reverts("not today"));
    auto limits = settings_.pools.limits;
    limits.minimum_tip = std::min(settings_.tip, limits.minimum_tip);
    for (std::size_t i = 0; i < settings_.endpoints; ++i) {
        network_.add_endpoint({.name = fmt::format("endpoint-{}", i),
                               .pool = limits,
                               .latency = settings_.endpoint_latency,
                               .faults = settings_.faults.chain,
                               .temporary_refusals = settings_.pools.refusals,
                               .display = i == 0 ? settings_.first_display() : PoolDisplay::shows});
    }
    std::vector<SubmitterId> submitters;
    for (std::size_t i = 0; i < settings_.submitters; ++i) {
        submitters.push_back(signer_.submitter(i));
        ledger.fund(*submitters.back().evm_address(), settings_.initial_balance.value_or(ample_balance));
    }
    return submitters;
}

SimulatedNode::Dependencies Simulation::node_dependencies() {
    return {.world = world_,
            .network = network_,
            .database = database_,
            .signer = signer_,
            .key_holder = key_holder_,
            .wakeups = wakeups_,
            .telemetry = *telemetry_,
            .log = *log_,
            .alerts = *alerts_,
            .settings = settings_,
            .missed_wake_up =
                [this](const SubmitterId& submitter, const std::string& what) {
                    violations_.report(world_.now(), "nothing that is due is missed", what, submitter);
                },
            .forgotten =
                [this](const SubmitterId& submitter, const std::string& what) {
                    violations_.report(world_.now(), "a lane that is opened again decides the same", what, submitter);
                }};
}

void Simulation::use_connector() {
    if (!settings_.connector) return;
    key_holder_.hold(submitters_.front());
    key_holder_.set_abilities(settings_.connector->abilities);
    key_holder_.set_rates(settings_.connector->faults);
    key_holder_.watch([this](const std::string& node, const UnsignedTransaction& asked) {
        wire_checker_.see(node, asked);
        ++counts_["requests to a connector"];
    });
}

Task<void> Simulation::mine() {
    SimClock clock(network_.process());
    while (true) {
        co_await clock.sleep_for(settings_.block_interval);
        faults_.price_next_block();
        network_.mine();
        chain_checker_.update();
    }
}

void Simulation::see(const DatabaseEvent& event) {
    if (const auto* committed = std::get_if<Committed>(&event)) {
        world_.note(fmt::format("{} {} {}", committed->write.submitter, committed->write.fence.token,
                                name_of(committed->answer)));
    }
    if (const auto* accepted = std::get_if<Accepted>(&event)) {
        const auto& request = accepted->intent.request;
        if (request && request->value().starts_with("fill:")) ++counts_["nonce gaps to fill"];
    }
    store_checker_.see(event);
    outage_checker_.see(event);
    check_stop(event);
    if (timeline_ != nullptr) timeline_->see(world_.now(), event);
}

bool Simulation::has_work(const SubmitterId& submitter) {
    const auto unfinished = run_now(database_.truth().unfinished_submitters()).value();
    return std::ranges::find(unfinished, submitter, &UnfinishedSubmitter::submitter) != unfinished.end();
}

RunReport Simulation::run() {
    set_assertion_note([this] { return describe_position(); });
    try {
        run_fault_phase();
        if (violations_.is_clean()) run_settling_phase();
        if (violations_.is_clean()) check_end();
    } catch (const std::exception& error) {
        violations_.report(world_.now(), "no part of a node throws", error.what());
    }
    set_assertion_note({});
    add_counts();
    return {.seed = settings_.seed,
            .settings = settings_.describe(),
            .violation = violations_.violation(),
            .counts = counts_,
            .trace_hash = world_.trace_hash(),
            .steps = world_.steps(),
            .virtual_time = world_.now().time_since_epoch()};
}

std::string Simulation::describe_position() const {
    return fmt::format("in simulator seed {}, commit {}, at {:.3f} virtual seconds\n  replay: {}", settings_.seed,
                       settings_.commit, std::chrono::duration<double>(world_.now().time_since_epoch()).count(),
                       settings_.replay_command());
}

void Simulation::run_fault_phase() {
    const auto end = world_.now() + settings_.fault_phase;
    while (violations_.is_clean() && world_.now() < end)
        run_one_second(end);
}

void Simulation::run_one_second(Instant end) {
    world_.run_for(std::min<Duration>(1s, end - world_.now()));
    for (std::size_t node_index = 0; node_index < cluster_.size(); ++node_index) {
        auto* node = cluster_.at(node_index);
        if (node == nullptr || node->backlog() <= max_backlog) continue;
        violations_.report(world_.now(), "queues are bounded",
                           fmt::format("{} tasks and timers wait in {}", node->backlog(), node->process().name()));
    }
}

void Simulation::run_settling_phase() {
    faults_.end_fault_phase();
    wakeups_.lose_one_in(0);
    key_holder_.set_rates({});
    clients_.end_fault_phase();
    const auto began = world_.now();
    while (violations_.is_clean() && !is_settled()) {
        if (world_.now() - began >= settings_.settling_limit) return report_unsettled();
        run_one_second(Instant::max());
    }
    const auto took = std::chrono::duration_cast<std::chrono::seconds>(world_.now() - began).count();
    for (const auto limit : {60, 180, 600}) {
        if (took > limit) ++counts_[fmt::format("runs that took more than {} s to settle", limit)];
    }
}

void Simulation::add_counts() {
    for (const auto& [name, field] : DatabaseCounts::fields())
        counts_[fmt::format("database {}", name)] += database_.counts().*field;
    for (const auto& endpoint : network_.endpoints()) {
        for (const auto& [fault, count] : endpoint->send_faults())
            counts_[fmt::format("sends {}", fault == SendFault::none ? "without a fault" : name_of(fault))] += count;
        for (const auto& [fault, count] : endpoint->read_faults())
            counts_[fmt::format("reads {}", fault == ReadFault::none ? "without a fault" : name_of(fault))] += count;
    }
    counts_["wake-ups lost"] += wakeups_.lost();
    counts_["commits checked"] += store_checker_.commits();
    counts_["transactions"] += store_checker_.transactions().size();
    counts_["blocks"] += network_.ledger().head().number().value();
    counts_["transmissions checked"] += network_.record().entries().size();
}

}  // namespace fencepost::sim
