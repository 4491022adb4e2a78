// Everything that a broken database does differently, in one place: the database asks here at each point where a mutant
// can make a difference, and gets the lawful answer when there is none.
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
    /// The time by which an opening by this node is judged.
    [[nodiscard]] UnixTime opening_time(const DatabaseCall& call, const NodeId& node, const std::optional<Lease>& lease,
                                        UnixTime now) const;
    [[nodiscard]] bool keeps_token(const std::optional<Lease>& lease, const NodeId& node, UnixTime now) const;
    /// What is written in place of a part whose fence held, or not, when it was executed. To be asked while SQL is
    /// shown the time of the execution.
    [[nodiscard]] Task<LaneWrite> written_for(LaneWrite write, bool late, bool held_at_execution,
                                              std::optional<Lease> lease, UnixTime now);
    /// Under which fence something is written beside a lane's batches. The same holds for the time.
    [[nodiscard]] Task<Fence> fence_beside(LeaseClaim claim, std::optional<Lease> lease, UnixTime now);
    [[nodiscard]] std::vector<LeaseClaim> released_for(std::vector<LeaseClaim> claims,
                                                       const std::vector<std::optional<Lease>>& leases) const;
    [[nodiscard]] NewIntent accepted_for(NewIntent intent) const;
    [[nodiscard]] StoreError told_for(StoreError error) const;
    [[nodiscard]] Duration commit_after_answer() {
        return Duration(random_.below(2'000) * std::chrono::milliseconds(1));
    }
    [[nodiscard]] bool loses_accepted() { return random_.one_in(4); }

private:
    [[nodiscard]] Task<Fence> forge(SubmitterId submitter, std::optional<Lease> lease, UnixTime now);
    [[nodiscard]] Task<void> skip_comparison(TxUpdate* update);
    [[nodiscard]] Task<void> garble_cursor(LaneWrite* write);
    static void leave_nonces_free(LaneWrite& write);
    void garble(TxUpdate& update);

    DatabaseMutant mutant_;
    Store& store_;
    SeededRandom random_;
};

}  // namespace fencepost::sim
