// Test fixture for shared keys: a chain with settable counts, the real SQLite store in virtual time with fault
// injection, and recording implementations of telemetry, log and alerts.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ports/test_chain.hpp"
#include "relaxed/nonce_source.hpp"
#include "sim/sim_clock.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::relaxed {

using namespace std::chrono_literals;

inline const auto shared = SubmitterId::evm(1, {});

/// A chain that only answers counts().
class ScriptedCountsChain final : public fencepost::test::StubChain {
public:
    explicit ScriptedCountsChain(Clock& clock) : clock_(clock) {}

    std::uint64_t latest = 0;
    std::uint64_t pending = 0;
    bool offline = false;
    Duration slow{};
    std::size_t asked = 0;

    /// External transactions were mined.
    void mine_up_to(std::uint64_t count) {
        latest = count;
        pending = std::max(pending, count);
    }

    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId /*submitter*/) override {
        ++asked;
        if (slow != Duration{}) co_await clock_.sleep_for(slow);
        if (offline) co_return err(RpcError{RpcError::Kind::timed_out, "no answer"});
        co_return AccountCounts{.latest = Nonce(latest), .pending = Nonce(pending), .answered = 1, .endpoints = 1};
    }

private:
    Clock& clock_;
};

/// Injects a failure into the next call: before the commit, or after it.
class FaultyNonces final : public RelaxedNonces {
public:
    enum class Fault { none, before_commit, after_commit, busy };

    FaultyNonces(RelaxedNonces& store, Clock& clock) : store_(&store), clock_(clock) {}

    void redirect_to(RelaxedNonces& store) { store_ = &store; }

    Fault next = Fault::none;
    bool reads_fail = false;
    Duration slow{};

    Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                  NonceBounds bounds, Duration timeout) override {
        return faulty(store_->reserve(submitter, fence, owner, bounds, timeout), Reservation{WriteAnswer::busy, {}});
    }
    Task<Result<WriteAnswer, StoreError>> mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                         Nonce nonce, TxHash hash) override {
        return faulty(store_->mark_in_flight(submitter, fence, owner, nonce, hash), WriteAnswer::busy);
    }
    Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence, LockOwner owner, Nonce nonce,
                                                    TxHash hash) override {
        return faulty(store_->mark_used(submitter, fence, owner, nonce, hash), WriteAnswer::busy);
    }
    Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence, LockOwner owner,
                                                          Nonce nonce, std::string reason) override {
        return faulty(store_->mark_recyclable(submitter, fence, owner, nonce, reason), WriteAnswer::busy);
    }
    Task<Result<Alignment, StoreError>> align(SubmitterId submitter, Fence fence, Nonce chain_next) override {
        return faulty(store_->align(submitter, fence, chain_next), Alignment{WriteAnswer::busy, {}, {}});
    }
    Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) override {
        if (reads_fail) co_return err(StoreError::unavailable);
        co_return co_await store_->allocations(submitter);
    }
    Task<Result<std::optional<Nonce>, StoreError>> lowest_recyclable(SubmitterId submitter, Nonce from) override {
        if (reads_fail) co_return err(StoreError::unavailable);
        co_return co_await store_->lowest_recyclable(submitter, from);
    }

private:
    template <typename T>
    Task<Result<T, StoreError>> faulty(Task<Result<T, StoreError>> call, T busy) {
        const auto fault = std::exchange(next, Fault::none);
        if (slow != Duration{}) co_await clock_.sleep_for(slow);
        if (fault == Fault::before_commit) co_return err(StoreError::unavailable);
        if (fault == Fault::busy) co_return busy;
        auto answer = co_await std::move(call);
        if (fault == Fault::after_commit) co_return err(StoreError::unknown_outcome);
        co_return answer;
    }

    RelaxedNonces* store_;
    Clock& clock_;
};

/// Records metrics, log lines and alerts.
class RecordingSinks final : public Telemetry, public Log, public Alerts {
public:
    std::map<std::string, std::uint64_t> counted;
    std::vector<std::pair<Severity, std::string>> logged;
    std::vector<Alert> raised;

    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        if (label_of(counter) == "submitter") label = {};  // there is one
        counted[std::string(name_of(counter)) + (label.empty() ? "" : "/") + std::string(label)] += by;
    }
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> /*fields*/) override {
        logged.emplace_back(severity, message);
    }
    [[nodiscard]] bool enabled(Severity severity) const override { return severity != Severity::debug; }
    void raise(Alert alert) override { raised.push_back(std::move(alert)); }
};

inline TxHash hash_of(std::uint8_t fill) {
    TxHash hash;
    hash.data.fill(fill);
    return hash;
}

class SourceTest : public ::testing::Test {
protected:
    explicit SourceTest(std::uint64_t seed = 1) : world_(seed) { open(); }

    /// A new opening, as after a crash or an unknown outcome; the previous fence is no longer valid.
    void open(RelaxedOptions options = {}) {
        fence_ = *run(database_->open(shared, NodeId("node"), 24h)).value().fence;
        source_ = std::make_unique<NonceSource>(node_.executor(), LeaseClaim{shared, fence_},
                                                RelaxedDependencies{nonces_, chain_, clock_, sinks_, sinks_, sinks_},
                                                options);
    }

    /// Loses commits, as when a lagging standby is promoted; the lease is as it was when the source was opened.
    void lose_all_commits() {
        database_ = new_database();
        nonces_.redirect_to(*database_);
        ASSERT_EQ(run(database_->open(shared, NodeId("node"), 24h)).value().fence->token, fence_.token);
    }

    template <typename T>
    static Task<void> keep(Task<T> task, std::optional<T>* kept) {
        kept->emplace(co_await std::move(task));
    }
    template <typename T>
    T run(Task<T> task, Duration within = 1s) {
        std::optional<T> kept;
        world_.spawn(node_, keep(std::move(task), &kept));
        world_.run_for(within);
        return std::move(kept.value());
    }

    Result<Nonce, NonceError> reserve(std::string owner = "me") { return run(source_->reserve(LockOwner(owner))); }
    Status<NonceError> follow(std::uint64_t nonce, Progress progress, std::string owner = "me") {
        return run(source_->follow(LockOwner(owner), Nonce(nonce), hash_of(1), progress));
    }
    Status<NonceError> give_back(std::uint64_t nonce, std::string owner = "me") {
        return run(source_->give_back(LockOwner(owner), Nonce(nonce), "refused"));
    }
    std::unique_ptr<store::SqliteStore> new_database() {
        return std::move(store::SqliteStore::open({.path = ":memory:",
                                                   .now = [this] { return world_.unix_now(); },
                                                   .execution = store::Execution::in_place})
                             .value());
    }
    AllocationCounts allocations() { return run(database_->allocations(shared)).value(); }

    sim::World world_;
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    std::unique_ptr<store::SqliteStore> database_ = new_database();
    FaultyNonces nonces_{*database_, clock_};
    ScriptedCountsChain chain_{clock_};
    RecordingSinks sinks_;
    Fence fence_;
    std::unique_ptr<NonceSource> source_;
};

}  // namespace fencepost::relaxed
