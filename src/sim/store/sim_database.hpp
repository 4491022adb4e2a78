// The database of a simulated cluster: the real SQLite store, in memory, behind a model of everything between a node
// and a PostgreSQL server. It is a process of its own: a node's request is executed and committed even when the node is
// dead, paused, or no longer waiting.
//
// SQLite is serial and would hide a missing lock or a reused token. Fenced calls are therefore split like a PostgreSQL
// transaction: *execute* locks the lease rows and fixes the time that decides about expiry; *commit* comes later, and
// only then does SQLite run, with the time of the execution. Between the two no other transaction can change a locked
// row.
//
// It must not be moved and must outlive the world's run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ports/store/store.hpp"
#include "sim/sim_clock.hpp"
#include "sim/store/database_call.hpp"
#include "sim/store/database_counts.hpp"
#include "sim/store/database_event.hpp"
#include "sim/store/database_mutants.hpp"
#include "sim/store/lease_locks.hpp"

namespace fencepost::store {
class SqliteStore;
}

namespace fencepost::sim {

struct DatabaseOptions {
    /// One way.
    Latency way{.least = std::chrono::microseconds(200), .most = std::chrono::milliseconds(5)};
    /// From execute to commit, without faults.
    Latency commit{.least = std::chrono::microseconds(100), .most = std::chrono::milliseconds(10)};
    /// How long a node waits for an answer.
    Duration call_timeout = std::chrono::seconds(5);
    /// How long one transaction may block an opening before the opening evicts it.
    Duration evict_after = std::chrono::seconds(1);
    DatabaseFaults faults{};
    /// Fixed for the whole run.
    DatabaseMutant mutant = DatabaseMutant::none;
};

class SimDatabase {
public:
    explicit SimDatabase(World& world, DatabaseOptions options = {});
    ~SimDatabase();
    SimDatabase(const SimDatabase&) = delete;
    SimDatabase& operator=(const SimDatabase&) = delete;

    // For the fault driver. Each setting may change at any time and applies to calls that leave afterwards.

    [[nodiscard]] DatabaseOptions& options() { return options_; }
    [[nodiscard]] DatabaseFaults& faults() { return options_.faults; }
    /// Calls from nodes with this name, and answers to them, do not get through; the calls hang.
    void cut_off(const std::string& node, bool cut);
    /// Crash and recovery: open transactions are rolled back, answers in transit are lost, and calls are refused until
    /// it is up again.
    void set_down(bool down);
    /// Sets the clock to this offset, as an administrator or a failover to a standby might.
    void set_clock(Duration off_by);
    [[nodiscard]] Duration clock_offset() const { return clock_offset_; }
    [[nodiscard]] bool clock_was_set_within(Duration time) const;
    /// By the database's clock.
    [[nodiscard]] UnixTime unix_now() const;

    // For checkers.

    /// Answers immediately, without latency or faults, so that run_now() also works outside a task.
    [[nodiscard]] Store& truth();
    [[nodiscard]] Task<std::optional<Lease>> lease_of(SubmitterId submitter);
    void watch(std::function<void(const DatabaseEvent&)> watcher) { watchers_.push_back(std::move(watcher)); }
    [[nodiscard]] const DatabaseCounts& counts() const { return counts_; }

    // For SimStore.

    [[nodiscard]] SimNode& process() { return process_; }
    [[nodiscard]] SimClock& clock() { return clock_; }
    [[nodiscard]] bool is_down() const { return down_; }
    [[nodiscard]] CallPtr begin(SimNode& caller, Effect effect);
    [[nodiscard]] bool arrives(DatabaseCall& call);
    [[nodiscard]] AnswerDelivery answer_delivery(const DatabaseCall& call);
    /// The caller's error when no answer comes.
    [[nodiscard]] StoreError error_without_answer(const DatabaseCall& call) const;
    [[nodiscard]] StoreError time_out(DatabaseCall& call);

    template <typename T>
    using Answer = Task<Result<T, StoreError>>;
    Answer<std::vector<AcceptAnswer>> accept(CallPtr call, std::vector<NewIntent> batch);
    Answer<OpenAnswer> open(CallPtr call, SubmitterId submitter, NodeId node, Duration duration);
    Answer<std::vector<LeaseResult>> renew(CallPtr call, std::vector<LeaseClaim> claims, Duration duration);
    Answer<void> release(CallPtr call, std::vector<LeaseClaim> claims);
    Answer<std::vector<WriteAnswer>> write(CallPtr call, std::vector<LaneWrite> batch);
    /// One submitter's fenced write under that fence; runs without waiting when it may be committed.
    using FencedWork = std::function<Answer<WriteAnswer>(Store&, const Fence&)>;
    /// A fenced write outside a lane's batches, locked and checked like one of those.
    Answer<WriteAnswer> write_outside_lane(CallPtr call, LeaseClaim claim, FencedWork work);
    /// For a write without a fence: no error if it may be committed now.
    [[nodiscard]] Task<std::optional<StoreError>> unfenced_commit(CallPtr call);

private:
    struct WriteParts;
    using Refusal = std::optional<StoreError>;

    [[nodiscard]] OpenTransactionPtr execute() const;
    /// No error if it may be committed now.
    [[nodiscard]] Task<Refusal> reach_commit(CallPtr call, OpenTransactionPtr transaction);
    [[nodiscard]] Task<void> wait_for_row(SubmitterId submitter, OpenTransactionPtr transaction, bool evicts);
    [[nodiscard]] Task<void> lock(SubmitterId submitter, OpenTransactionPtr transaction, bool evicts);
    [[nodiscard]] Task<void> lock_own(std::vector<LeaseClaim> claims, OpenTransactionPtr transaction);
    [[nodiscard]] Task<Result<OpenAnswer, StoreError>> open_row(SubmitterId submitter, NodeId node, Duration duration,
                                                                std::optional<Lease> before, UnixTime at);
    [[nodiscard]] Task<std::vector<std::size_t>> lock_for_renewal(std::vector<LeaseClaim> claims,
                                                                  OpenTransactionPtr transaction);

    [[nodiscard]] Task<void> execute_write(CallPtr call, std::shared_ptr<WriteParts> parts);
    [[nodiscard]] Task<Refusal> commit_write(CallPtr call, std::shared_ptr<WriteParts> parts);
    [[nodiscard]] Task<void> commit_after_answer(CallPtr call, std::shared_ptr<WriteParts> parts);
    [[nodiscard]] Task<bool> all_new(std::vector<NewIntent> batch);
    [[nodiscard]] Answer<std::vector<AcceptAnswer>> commit_accept(CallPtr call, std::vector<NewIntent> batch);
    [[nodiscard]] Task<void> accept_after_answer(CallPtr call, std::vector<NewIntent> batch);

    void count_commit(const DatabaseCall& call);
    void notify(const DatabaseEvent& event);

    World& world_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    DatabaseOptions options_;
    /// The time that SQL sees while a transaction of an earlier moment is committed.
    std::optional<UnixTime> sql_time_;
    std::unique_ptr<store::SqliteStore> store_;
    DatabaseMutants mutants_;
    LeaseLocks locks_;
    std::set<std::string> cut_off_;
    bool down_ = false;
    Duration clock_offset_{};
    std::optional<Instant> clock_set_at_{};
    std::uint64_t outages_ = 0;
    DatabaseCounts counts_;
    std::vector<std::function<void(const DatabaseEvent&)>> watchers_;
};

}  // namespace fencepost::sim
