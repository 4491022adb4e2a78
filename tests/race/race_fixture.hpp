// Two nodes (stores a and b, each with its own connections) and any number of hand-stepped sessions on one database. A
// test chooses the interleaving by holding locks in a session while a store's call is in flight.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/async/task_group.hpp"
#include "session.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store_fixture.hpp"
#include "support/pg_cluster.hpp"

namespace fencepost::race {

using namespace std::chrono_literals;
using contract::allocated_position;
using contract::attempt;
using contract::confirmed;
using contract::mined;
using contract::queued;
using contract::receipt_of;
using contract::tracking;

constexpr Position failed_final{State::failed_final, SubState::none};

/// Two stores on a database of their own.
class RaceDatabase : public contract::StoreUnderTest {
public:
    RaceDatabase(test::PgCluster& cluster, const Executor& executor, Clock& clock, Random& random,
                 Duration evict_after = std::chrono::hours(1));

    Store& a() override { return a_; }
    Store& b() override { return b_; }
    [[nodiscard]] test::PgCluster& cluster() { return cluster_; }
    [[nodiscard]] const std::string& name() const { return database_; }
    [[nodiscard]] std::string url() const { return cluster_.url(database_); }

private:
    test::PgCluster& cluster_;
    std::string database_;
    store::PostgresOptions options_;
    store::PostgresStore a_;
    store::PostgresStore b_;
};

/// Without timeouts: a statement that waits for a test's lock waits until the test releases it, however slow the
/// machine is.
[[nodiscard]] contract::NamedStore postgres();
/// Here a takeover evicts the session that blocks it after this time.
[[nodiscard]] contract::NamedStore evicting_postgres();
inline constexpr Duration evicting_after = 2s;
/// On a cluster that this test may stop, and that writes through to the disk.
[[nodiscard]] contract::NamedStore restartable_postgres();
/// On a cluster with a small disk, to which the test may move its database before it uses the store.
[[nodiscard]] contract::NamedStore small_disk_postgres();
/// On its own cluster, whose log grows only by what is written: the same each time.
[[nodiscard]] contract::NamedStore steady_postgres();

class RaceTest : public contract::StoreContract {
protected:
    [[nodiscard]] RaceDatabase& database() { return dynamic_cast<RaceDatabase&>(under_test()); }
    [[nodiscard]] Session session() { return Session(database().url()); }
    /// A value read on a separate connection.
    [[nodiscard]] std::string value(const std::string& sql);

    [[nodiscard]] std::string lock_lease_sql(const SubmitterId& submitter) const;
    [[nodiscard]] std::string lock_row_sql(const TxId& tx) const;
    /// Returns when the SQL condition holds.
    [[nodiscard]] Task<void> until(std::string condition);
    /// Whether this many statements of the stores wait for a lock now.
    [[nodiscard]] bool are_waiting(std::size_t statements);
    [[nodiscard]] Task<void> until_waiting(std::size_t statements);
    /// Ends the lease in three seconds, so that it expires while its row is locked.
    [[nodiscard]] Task<void> shorten(Fence fence);
    [[nodiscard]] Task<void> until_lapsed();

    /// A session whose transaction holds the lease row, like a stalled owner's.
    [[nodiscard]] Session holding_lease(const SubmitterId& submitter);

    [[nodiscard]] SubmitterId numbered(std::size_t n) const;
    /// Accepts one intent of each of the first n submitters and opens their lanes; returns the writes that allocate
    /// nonce 0.
    [[nodiscard]] Task<std::vector<LaneWrite>> lanes(std::size_t n);
    [[nodiscard]] static std::vector<LeaseClaim> claims_of(const std::vector<LaneWrite>& writes);

    void expect_no_deadlock();
};

/// A call in flight: spawned into a group; its answer is available once the call has ended.
template <typename T>
using Answered = std::optional<T>;

template <typename T>
Task<void> keep(Task<T> call, Answered<T>* answer) {
    answer->emplace(co_await std::move(call));
}

class Stopwatch {
public:
    [[nodiscard]] Duration elapsed() const {
        return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using OpenResult = Result<OpenAnswer, StoreError>;
using WriteResult = Result<std::vector<WriteAnswer>, StoreError>;
using RenewResult = Result<std::vector<LeaseResult>, StoreError>;
using AcceptResult = Result<std::vector<AcceptAnswer>, StoreError>;

template <typename T>
std::vector<T> one(T item) {
    std::vector<T> items;
    items.push_back(std::move(item));
    return items;
}

}  // namespace fencepost::race
