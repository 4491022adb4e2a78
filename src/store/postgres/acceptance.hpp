// A batch of intents on its way: which of them are still to be answered, and the answers so far. Apart from the SQL,
// because accepting may take several rounds, and what an earlier one committed stands.
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
    /// Those that cannot be stored are answered at once.
    explicit Acceptance(std::vector<NewIntent> batch);

    [[nodiscard]] bool is_open() const { return !open_.empty(); }
    /// What is still to be answered, in order. Valid as long as this is.
    [[nodiscard]] std::vector<const NewIntent*> asked() const;

    /// Everything asked was inserted.
    void take_all(const Inserted& inserted);
    /// One row for each that was asked: the standing transaction's id and fingerprint, its submitter's status and the
    /// reason.
    void take(const pg::Rows& standing, Inserted inserted);

    /// Whether anything was refused that has a request id; it is then to be answered again.
    bool reopen_refused();

    /// What an error of a round means for the whole batch: what an earlier round accepted stands, whatever becomes of
    /// this one.
    [[nodiscard]] StoreError error(StoreError of_this_round) const;

    [[nodiscard]] std::vector<AcceptAnswer> answers() &&;

private:
    std::vector<NewIntent> batch_;
    std::vector<std::optional<AcceptAnswer>> answers_;
    std::vector<std::size_t> open_;
};

}  // namespace fencepost::store
