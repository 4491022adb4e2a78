// Tracks a batch of intents during acceptance: which are still unanswered, and the answers so far. Separate from the
// SQL because acceptance may take several rounds, and what an earlier round committed stays.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "ports/store/intake.hpp"
#include "store/postgres/connection/pg_values.hpp"

namespace fencepost::store {

/// What a round inserted, and when.
using Inserted = std::map<TxId, UnixTime>;

class Acceptance {
public:
    /// Answers intents that cannot be stored at once.
    explicit Acceptance(std::vector<NewIntent> batch);

    [[nodiscard]] bool is_open() const { return !open_.empty(); }
    /// The unanswered intents, in order. Valid as long as this object.
    [[nodiscard]] std::vector<const NewIntent*> asked() const;

    /// Records that every open intent was inserted.
    void take_all(const Inserted& inserted);
    /// One row per open intent: id and fingerprint of the stored transaction, status of its submitter and the reason.
    void take(const pg::Rows& existing, Inserted inserted);

    /// Reopens refused intents that have a request id. True if there are any.
    bool reopen_refused();

    /// What an error of this round means for the whole batch: whatever an earlier round accepted stays accepted.
    [[nodiscard]] StoreError error(StoreError of_this_round) const;

    [[nodiscard]] std::vector<AcceptAnswer> answers() &&;

private:
    std::vector<NewIntent> batch_;
    std::vector<std::optional<AcceptAnswer>> answers_;
    std::vector<std::size_t> open_;
};

}  // namespace fencepost::store
