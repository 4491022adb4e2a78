// Two nodes (stores a and b, each with connections of its own) and any number of hand-stepped sessions on one database.
// A test chooses the interleaving by holding locks in a session while a store's call is under way.
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

/// Nobody loses patience here: whoever waits for a lock that a test holds waits until the test lets it go, however slow
/// the machine is.
[[nodiscard]] contract::NamedStore postgres();
/// Here a takeover evicts whoever blocks it, after this time.
[[nodiscard]] contract::NamedStore evicting_postgres();
inline constexpr Duration evicting_after = 2s;
/// On a cluster that this test may stop, and that writes through to the disk.
[[nodiscard]] contract::NamedStore mortal_postgres();
/// On a cluster that has a small disk, to which the test may move its database before it asks the store anything.
[[nodiscard]] contract::NamedStore small_postgres();
/// On a cluster of its own, whose log grows by what is written and by nothing else: the same each time.
[[nodiscard]] contract::NamedStore steady_postgres();

class RaceTest : public contract::StoreContract {
protected:
    [[nodiscard]] RaceDatabase& database() { return dynamic_cast<RaceDatabase&>(under_test()); }
    [[nodiscard]] Session session() { return Session(database().url()); }
    /// A value asked by a connection of its own.
    [[nodiscard]] std::string value(const std::string& sql);

    [[nodiscard]] std::string lock_lease_sql(const SubmitterId& submitter) const;
    [[nodiscard]] std::string lock_row_sql(const TxId& tx) const;
    /// Returns when it holds, which is a condition in SQL.
    [[nodiscard]] Task<void> until(std::string condition);
    /// Whether so many statements of the stores wait for a lock now.
    [[nodiscard]] bool are_waiting(std::size_t statements);
    [[nodiscard]] Task<void> until_waiting(std::size_t statements);
    /// Lets the lease end in three seconds, so that it does while its row is held.
    [[nodiscard]] Task<void> shorten(Fence fence);
    [[nodiscard]] Task<void> until_lapsed();

    /// A session whose transaction holds the lease row, as an owner's that stalls.
    [[nodiscard]] Session holding_lease(const SubmitterId& submitter);

    [[nodiscard]] SubmitterId numbered(std::size_t n) const;
    /// Accepts one intent of each of the first n submitters and opens their lanes; the writes that allocate nonce 0.
    [[nodiscard]] Task<std::vector<LaneWrite>> lanes(std::size_t n);
    [[nodiscard]] static std::vector<LeaseClaim> claims_of(const std::vector<LaneWrite>& writes);

    void expect_no_deadlock();
};

/// A call under way: spawned into a group, its answer is there when the call has ended.
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
