// The outbox on SQLite.
#include "store/json_codec.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

// One writer draws the numbers and commits before the next one draws: number order is commit order, and none can appear
// below one that was read (failure 35).
std::vector<LoggedEvent> events_after(Database& database, EventPosition position, std::size_t limit) {
    std::vector<LoggedEvent> events;
    Query row(database, R"sql(
SELECT number, tx_id, sequence, kind, body
FROM tx_event
WHERE sequence IS NOT NULL AND number > :number
ORDER BY number
LIMIT :limit
)sql",
              bound(position.number), bound(limit));
    while (row.step()) {
        events.push_back({{.transaction = 0, .number = row.get<std::uint64_t>(0)},
                          {row.get<TxId>(1), row.get<EventSequence>(2), decode_event(row.text(3), row.text(4))}});
    }
    return events;
}

}  // namespace

Task<Result<std::vector<LoggedEvent>, StoreError>> SqliteStore::read_after(EventPosition position, std::size_t limit) {
    return engine_->read([position, limit](Database& database) { return events_after(database, position, limit); });
}

}  // namespace fencepost::store
