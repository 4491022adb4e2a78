// The row locks of the lease table, which SQLite does not have: who holds a submitter's row from the moment a
// transaction is executed until it is committed or rolled back, and who waits for it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async/wakeup.hpp"
#include "base/time.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::sim {

/// A transaction that was begun and is not over yet.
struct OpenTransaction {
    enum class End { open, committed, rolled_back, evicted };
    End end = End::open;
    UnixTime executed_at;
    bool waits = false;
};
using OpenTransactionPtr = std::shared_ptr<OpenTransaction>;

class LeaseLocks {
public:
    /// Nobody, or whose transaction has the row.
    [[nodiscard]] OpenTransactionPtr holder(const SubmitterId& submitter) const;
    /// False when the row is locked elsewhere; one's own lock is as good as a new one.
    [[nodiscard]] bool try_lock(const SubmitterId& submitter, const OpenTransactionPtr& transaction);
    /// Ends the transaction, unless it ended already; its rows go to whoever comes first.
    void end(const OpenTransactionPtr& transaction, OpenTransaction::End how);
    /// The crash of the database: every transaction that holds a row. Says how many there were.
    std::size_t roll_back_all();

    /// Rings when the row is set free.
    void wait(const SubmitterId& submitter, std::shared_ptr<Wakeup> bell);

private:
    std::map<SubmitterId, OpenTransactionPtr> held_;
    std::multimap<SubmitterId, std::shared_ptr<Wakeup>> waiting_;
};

}  // namespace fencepost::sim
