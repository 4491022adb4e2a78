// The row locks of the lease table, which SQLite does not have: which transaction holds a submitter's row from its
// execution until it is committed or rolled back, and which ones wait for it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async/wakeup.hpp"
#include "base/time.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::sim {

/// An unfinished transaction.
struct OpenTransaction {
    enum class End { open, committed, rolled_back, evicted };
    End end = End::open;
    UnixTime executed_at;
    bool waits = false;
};
using OpenTransactionPtr = std::shared_ptr<OpenTransaction>;

class LeaseLocks {
public:
    /// The transaction that holds the row, or null.
    [[nodiscard]] OpenTransactionPtr holder(const SubmitterId& submitter) const;
    /// False when another transaction holds the row; a lock the transaction already holds counts.
    [[nodiscard]] bool try_lock(const SubmitterId& submitter, const OpenTransactionPtr& transaction);
    /// Ends the transaction, unless it has ended already, and frees its rows.
    void end(const OpenTransactionPtr& transaction, OpenTransaction::End how);
    /// A crash of the database: ends every transaction that holds a row. Returns their number.
    std::size_t roll_back_all();

    /// Wakes up the waiter when the row is freed.
    void wait(const SubmitterId& submitter, std::shared_ptr<Wakeup> bell);

private:
    std::map<SubmitterId, OpenTransactionPtr> held_;
    std::multimap<SubmitterId, std::shared_ptr<Wakeup>> waiting_;
};

}  // namespace fencepost::sim
