// All differences of a broken database in one place: the database calls this class wherever a mutant may change its
// behaviour; without a mutant the answer is the correct one.
#pragma once

#include <optional>

#include "ports/store/store.hpp"
#include "sim/seeded_random.hpp"
#include "sim/store/database_call.hpp"
#include "sim/store/database_mutant.hpp"

namespace fencepost::sim {

class DatabaseMutants {
public:
    DatabaseMutants(DatabaseMutant mutant, Store& store, const SeededRandom& random)
        : mutant_(mutant),
          store_(store),
          random_(random) {}

    [[nodiscard]] bool is(DatabaseMutant mutant) const { return mutant_ == mutant; }

    [[nodiscard]] bool locks_rows(const DatabaseCall& call) const;
    /// The time that decides whether this node may open the lease.
    [[nodiscard]] UnixTime opening_time(const DatabaseCall& call, const NodeId& node, const std::optional<Lease>& lease,
                                        UnixTime now) const;
    [[nodiscard]] bool keeps_token(const std::optional<Lease>& lease, const NodeId& node, UnixTime now) const;
    /// What is written in place of a part of a batch, given whether its fence held at execution. Call while SQL sees
    /// the time of the execution.
    [[nodiscard]] Task<LaneWrite> mutate_write(LaneWrite write, bool late, bool held_at_execution,
                                               std::optional<Lease> lease, UnixTime now);
    /// The fence for a write outside a lane's batches. Call while SQL sees the time of the execution.
    [[nodiscard]] Task<Fence> fence_outside_lane(LeaseClaim claim, std::optional<Lease> lease, UnixTime now);
    [[nodiscard]] std::vector<LeaseClaim> mutate_release(std::vector<LeaseClaim> claims,
                                                         const std::vector<std::optional<Lease>>& leases) const;
    [[nodiscard]] NewIntent mutate_accept(NewIntent intent) const;
    [[nodiscard]] StoreError mutate_error(StoreError error) const;
    [[nodiscard]] Duration commit_after_answer() {
        return Duration(random_.below(2'000) * std::chrono::milliseconds(1));
    }
    [[nodiscard]] bool drops_accepted() { return random_.one_in(4); }

private:
    [[nodiscard]] Task<Fence> valid_fence(SubmitterId submitter, std::optional<Lease> lease, UnixTime now);
    [[nodiscard]] Task<void> skip_comparison(TxUpdate* update);
    [[nodiscard]] Task<void> corrupt_cursor(LaneWrite* write);
    static void keep_nonces_available(LaneWrite& write);
    void corrupt_update(TxUpdate& update);

    DatabaseMutant mutant_;
    Store& store_;
    SeededRandom random_;
};

}  // namespace fencepost::sim
