// A cluster in virtual time: real lanes over the real SQLite store in memory, and a simulated chain with two endpoints.
// A scenario starts and kills nodes, submits intents, mines and reorgs blocks, and at the end compares store and chain.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/uuid.hpp"
#include "lane/host/lane_host.hpp"
#include "sim/chain/sim_connector.hpp"
#include "sim/chain/sim_network.hpp"
#include "sim/chain/sim_signer.hpp"
#include "sim/world.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "support/crash_points.hpp"
#include "support/faulty_chain.hpp"
#include "support/faulty_relaxed_nonces.hpp"
#include "support/faulty_store.hpp"
#include "support/node_doubles.hpp"

namespace fencepost::scenario {

using namespace std::chrono_literals;

inline constexpr std::uint64_t gwei = 1'000'000'000;
inline const Uint256 ether = Uint256(gwei) * Uint256(gwei);

struct Setup {
    std::uint64_t seed = 1;
    sim::NetworkOptions network{.ledger = {.safe_lag = 3, .finalized_lag = 6}};
    lane::LaneOptions lane{.confirmations_required = 3};
    lane::HostOptions host{};
    Duration block_interval = std::chrono::seconds(2);
    /// None: the built-in ones.
    GasBumpPolicy* bump_policy = nullptr;
    StuckPolicy* stuck_policy = nullptr;
    /// If set, a connector signs and sends for alice.
    std::optional<ConnectorAbilities> connector{};
};

class CountingTelemetry final : public Telemetry {
public:
    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        counts_[{counter, std::string(label)}] += by;
    }
    void observe(Latency latency, Duration took) override { timed_[latency].push_back(took); }
    void measure(Size size, std::uint64_t count) override { sizes_[size].push_back(count); }
    [[nodiscard]] std::vector<Duration> of(Latency latency) const {
        const auto found = timed_.find(latency);
        return found == timed_.end() ? std::vector<Duration>{} : found->second;
    }
    [[nodiscard]] std::vector<std::uint64_t> of(Size size) const {
        const auto found = sizes_.find(size);
        return found == sizes_.end() ? std::vector<std::uint64_t>{} : found->second;
    }
    [[nodiscard]] std::uint64_t of(Counter counter, std::string_view label = {}) const {
        const auto found = counts_.find({counter, std::string(label)});
        return found == counts_.end() ? 0 : found->second;
    }

private:
    std::map<std::pair<Counter, std::string>, std::uint64_t> counts_;
    std::map<Latency, std::vector<Duration>> timed_;
    std::map<Size, std::vector<std::uint64_t>> sizes_;
};

class KeptLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override;
    [[nodiscard]] bool enabled(Severity severity) const override { return keeps_all_ || severity != Severity::debug; }
    /// Also keeps `debug` lines.
    void keep_all() { keeps_all_ = true; }
    [[nodiscard]] bool has(Severity severity, std::string_view part) const { return count(severity, part) > 0; }
    [[nodiscard]] std::size_t count(Severity severity, std::string_view part) const;
    [[nodiscard]] std::string text() const;

private:
    bool keeps_all_ = false;
    std::vector<std::pair<Severity, std::string>> lines_;
};

/// Records alerts, and logs them.
class KeptAlerts final : public Alerts {
public:
    explicit KeptAlerts(Log& log) : logged_(log) {}
    void raise(Alert alert) override {
        if (watcher_) watcher_(alert);
        raised_.push_back(alert);
        logged_.raise(std::move(alert));
    }
    /// Observes each alert.
    void watch(std::function<void(const Alert&)> watcher) { watcher_ = std::move(watcher); }
    [[nodiscard]] const std::vector<Alert>& raised() const { return raised_; }
    [[nodiscard]] std::vector<Alert> of(AlertKind kind) const;
    [[nodiscard]] std::size_t count(AlertKind kind, AlertLevel level, std::string_view part) const;

private:
    LoggedAlerts logged_;
    std::function<void(const Alert&)> watcher_;
    std::vector<Alert> raised_;
};

/// One process. It opens a lane for every submitter with unfinished work and a free lease.
class Node {
public:
    Node(class LaneScenario& scenario, sim::SimNode& process, const Setup& setup, bool has_keys);

    [[nodiscard]] sim::SimNode& process() { return process_; }
    [[nodiscard]] const std::string& name() const { return process_.name(); }
    [[nodiscard]] FaultyStore& store() { return store_; }
    [[nodiscard]] FaultyRelaxedNonces& nonces() { return nonces_; }
    [[nodiscard]] FaultyChain& chain() { return chain_; }
    [[nodiscard]] HookedBuilder& builder() { return builder_; }
    [[nodiscard]] lane::LaneHost& host() { return host_; }
    /// Drains all lanes, releases their leases, and opens none any more.
    void release();
    [[nodiscard]] bool is_released() const { return released_; }
    /// Stops at once without releasing anything.
    void stop();
    [[nodiscard]] bool is_stopped() const { return stopped_; }

private:
    [[nodiscard]] Task<void> open_lanes(Queries* queries, Duration every);
    [[nodiscard]] Task<void> release_all();
    [[nodiscard]] Task<void> run();

    sim::SimNode& process_;
    sim::SimClock clock_;
    FaultyChain chain_;
    FaultyStore store_;
    FaultyRelaxedNonces nonces_;
    HookedBuilder builder_;
    NodeSigner signer_;
    sim::SimConnector connector_;
    bool opens_ = true;
    bool released_ = false;
    bool stopped_ = false;
    lane::LaneHost host_;
    lane::LaneOptions lane_options_;
    TaskGroup tasks_;
};

class LaneScenario {
public:
    explicit LaneScenario(Setup setup = {});
    ~LaneScenario();

    // The cluster.

    Node& start(const std::string& name) { return start(name, setup); }
    /// With options of its own.
    Node& start(const std::string& name, const Setup& own, bool has_keys = true);
    void kill(Node& node);

    // Callers.

    /// A transfer of 1 wei to an arbitrary address, unless given.
    TxId accept(const SubmitterId& from, Intent intent);
    TxId accept(const SubmitterId& from) { return accept(from, transfer(1)); }
    std::vector<TxId> accept(const SubmitterId& from, std::size_t count);
    [[nodiscard]] static Intent transfer(std::uint64_t value);
    [[nodiscard]] static Intent call(const Address& contract, Bytes data = {});
    /// The intake's result.
    [[nodiscard]] AcceptAnswer offer(const SubmitterId& from, Intent intent);
    /// An external transaction of the key: signed, and not sent.
    [[nodiscard]] SignedTransaction sign_externally(const SubmitterId& from, Nonce nonce, std::uint64_t tip_gwei = 5);
    void post(CommandKind kind, const SubmitterId& submitter, std::string reason = "asked") const;
    /// About one of alice's.
    void post(CommandKind kind, TxId tx) const;
    [[nodiscard]] std::vector<Command> pending_commands() const;

    // Time.

    void run_for(Duration duration) { world.run_for(duration); }
    /// False when the virtual time ran out first.
    template <typename Condition>
    [[nodiscard]] bool run_until(Condition condition, Duration at_most = std::chrono::minutes(10)) {
        const auto deadline = world.now() + at_most;
        while (!condition()) {
            if (world.now() >= deadline) return false;
            world.run_for(std::chrono::milliseconds(50));
        }
        return true;
    }
    [[nodiscard]] bool run_until_settled(Duration at_most = std::chrono::minutes(10));
    /// Stops and starts the miner.
    void set_mining(bool on) { mining_ = on; }

    // What became of it.

    [[nodiscard]] TxView view(TxId id) const;
    [[nodiscard]] State state(TxId id) const { return view(id).position.state; }
    [[nodiscard]] std::vector<TxView> all() const;
    [[nodiscard]] std::vector<HistoryEntry> history(TxId id) const;
    [[nodiscard]] std::vector<std::string> history_kinds(TxId id) const;
    [[nodiscard]] SubmitterView submitter(const SubmitterId& id) const;
    [[nodiscard]] std::vector<LoggedEvent> events() const;
    [[nodiscard]] std::vector<Attempt> attempts(TxId id) const { return get(store->attempts(id)).value(); }
    /// How often this hash was sent by any node.
    [[nodiscard]] std::size_t times_sent(const TxHash& hash) const;

    /// Sends of nodes that did not hold the lease at that time, by the database.
    [[nodiscard]] const std::vector<sim::WireEntry>& sent_without_lease() const { return sent_without_lease_; }

    /// Checks the laws at the end: store = chain, each intent once, no nonce twice and none left out, nothing sent
    /// without a record.
    void expect_lawful();

    /// Queries the store outside virtual time: it answers in place.
    template <typename T>
    T get(Task<T> task) const {
        asio::io_context context;
        std::optional<T> result;
        asio::co_spawn(context, keep(std::move(task), &result), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        context.run();
        return *std::move(result);
    }

    Setup setup;
    sim::World world;
    sim::SimNetwork network;
    sim::SimEndpoint& one;
    sim::SimEndpoint& two;
    sim::SimSigner signer;
    SubmitterId alice;
    SubmitterId bob;
    CrashPoints points;
    CountingTelemetry telemetry;
    KeptLog log;
    KeptAlerts alerts{log};
    /// Holds alice's key, if configured.
    sim::SimKeyHolder key_holder;
    std::unique_ptr<store::SqliteStore> store;

private:
    template <typename T>
    static Task<void> keep(Task<T> task, std::optional<T>* result) {
        *result = co_await std::move(task);
    }
    [[nodiscard]] Task<void> mine();
    void check_sends();
    void check_connector_requests();
    void expect_contiguous(const SubmitterId& submitter);
    void expect_executed_once(const TxView& tx);

    std::vector<sim::WireEntry> sent_without_lease_;
    bool mining_ = true;
    std::uint64_t requests_ = 0;
    sim::SeededRandom random_;
    UuidV7Generator ids_;
    std::deque<std::unique_ptr<Node>> nodes_;
};

}  // namespace fencepost::scenario
