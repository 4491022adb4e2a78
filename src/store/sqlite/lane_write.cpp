// A lane's writes on SQLite: one transaction per batch, and within it one savepoint per submitter, kept or rolled back
// as a whole.
#include <set>

#include "store/lane_rules.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/lease_rows.hpp"
#include "store/sqlite/nonce_marks.hpp"
#include "store/sqlite/settled_blocks.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/tx_write.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

// The primary key decides which insert is first.
bool create_cursor(Database& database, const HeldFence& held, Nonce next, Nonce watch_from) {
    const auto inserted = database.run(R"sql(
INSERT INTO submitter_nonce_cursor (submitter, next_nonce, watch_from, fencing_token, updated_at)
VALUES (:submitter, :next, :watch_from, :token, :now)
ON CONFLICT DO NOTHING
)sql",
                                       held.submitter, next, watch_from, held.fence.token, held.now);
    return inserted == 1;
}

// Compare-and-set in one statement: a lane that missed the last move cannot make the next (law 3).
bool move_cursor(Database& database, const HeldFence& held, const LaneWrite& write) {
    const auto& move = *write.cursor;
    if (!move.expected) return create_cursor(database, held, move.next, lowest_watched(write));
    const auto changed = database.run(R"sql(
UPDATE submitter_nonce_cursor
SET next_nonce = :next, fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND next_nonce = :expected
)sql",
                                      move.next, held.fence.token, held.now, held.submitter, *move.expected);
    return changed == 1;
}

bool watch_from(Database& database, const HeldFence& held, Nonce nonce) {
    const auto changed = database.run(R"sql(
UPDATE submitter_nonce_cursor
SET watch_from = :nonce, fencing_token = :token, updated_at = :now
WHERE submitter = :submitter
)sql",
                                      nonce, held.fence.token, held.now, held.submitter);
    return changed == 1;
}

// An unchanged value keeps its time.
void set_window(Database& database, const HeldFence& held, const WindowState& window) {
    database.run(R"sql(
UPDATE submitter_nonce_cursor
SET window_size = :size, window_limit = :cause, window_changed_at = :now, fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND (window_size IS NOT :size OR window_limit IS NOT :cause)
)sql",
                 window.size, window.limit, held.now, held.fence.token, held.submitter);
}

void set_status(Database& database, const HeldFence& held, const StatusChange& change) {
    database.run(R"sql(
INSERT INTO submitter_status (submitter, status, reason, fencing_token, updated_at)
VALUES (:submitter, :status, :reason, :token, :now)
ON CONFLICT (submitter) DO UPDATE
SET status = excluded.status,
    reason = excluded.reason,
    fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
)sql",
                 held.submitter, change.status, storable(change.reason), held.fence.token, held.now);
}

void count_verdicts(Database& database, const HeldFence& held, const LaneWrite& write) {
    for (const auto& [verdict, count] : verdicts_in(write)) {
        database.run(R"sql(
INSERT INTO submitter_tally (submitter, state, count, fencing_token, updated_at)
VALUES (:submitter, :state, :count, :token, :now)
ON CONFLICT (submitter, state) DO UPDATE
SET count = count + excluded.count, fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
)sql",
                     held.submitter, verdict, count, held.fence.token, held.now);
    }
}

// A command that is already done was executed by a newer opening of the lane: reload.
bool finish_command(Database& database, const HeldFence& held, CommandSequence sequence) {
    const auto changed = database.run(R"sql(
UPDATE submitter_command
SET done = 1, done_at = :now, fencing_token = :token
WHERE sequence = :sequence AND submitter = :submitter AND NOT done
)sql",
                                      held.now, held.fence.token, sequence, held.submitter);
    return changed == 1;
}

// False when something did not match; some of it may then have been written.
bool write_parts(Database& database, const HeldFence& held, const LaneWrite& write) {
    if (write.cursor && !move_cursor(database, held, write)) return false;
    if (write.watch_from && !watch_from(database, held, *write.watch_from)) return false;
    if (write.window) set_window(database, held, *write.window);
    if (write.status) set_status(database, held, *write.status);
    for (const auto sequence : write.commands_done) {
        if (!finish_command(database, held, sequence)) return false;
    }
    for (const auto& mark : write.nonce_marks) {
        if (!mark_nonce(database, held, mark)) return false;
    }
    for (const auto& update : write.transactions) {
        if (!write_transaction(database, held, update)) return false;
    }
    count_verdicts(database, held, write);
    note_settled_blocks(database, held, write.transactions);
    if (write.watch_from) forget_settled_blocks(database, held, *write.watch_from);
    return true;
}

// Law 1: the transaction that writes also reads the lease row, and is the exclusive writer until it ends. A takeover
// comes before and is seen here, or after and sees all of this.
WriteAnswer write_submitter(Database& database, const LaneWrite& write) {
    const auto held = hold(database, write.submitter, write.fence);
    if (!held) return WriteAnswer::fenced;
    Savepoint part(database);
    if (!write_parts(database, *held, write)) {
        part.undo();
        return WriteAnswer::conflict;
    }
    renew_past_half(database, *held);
    part.keep();
    return WriteAnswer::applied;
}

}  // namespace

Task<Result<std::vector<WriteAnswer>, StoreError>> SqliteStore::write(std::vector<LaneWrite> batch) {
    return engine_->write([batch = std::move(batch)](Database& database) {
        std::set<SubmitterId> seen;
        std::vector<WriteAnswer> answers;
        for (const auto& write : batch) {
            const bool first = seen.insert(write.submitter).second;
            answers.push_back(first ? write_submitter(database, write) : WriteAnswer::busy);
        }
        return answers;
    });
}

}  // namespace fencepost::store
