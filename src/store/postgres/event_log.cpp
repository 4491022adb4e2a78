// The outbox on PostgreSQL, read without gaps although transactions may commit in another order than they draw sequence
// numbers.
#include <fmt/format.h>

#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Statement;

// Reads only up to the oldest running transaction (pg_snapshot_xmin): a row that commits late has a transaction id that
// was not yet passed, so it is still ahead of every reader (failure 35).
constexpr Statement read_events{"events_after", R"sql(
SELECT transaction, number, tx_id, sequence, kind, body
FROM tx_event
WHERE sequence IS NOT NULL
  AND (transaction, number) > ($1::text::xid8, $2)
  AND transaction < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY transaction, number
LIMIT $3
)sql"};

}  // namespace

Task<Result<std::vector<LoggedEvent>, StoreError>> PostgresStore::read_after(EventPosition position,
                                                                             std::size_t limit) {
    const auto rows = co_await run(Query{&read_events, Params()
                                                           .add(fmt::format("{}", position.transaction))
                                                           .add(static_cast<std::int64_t>(position.number))
                                                           .add(static_cast<std::int64_t>(limit))});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return LoggedEvent{.position = {unsigned_at(*rows, row, 0), unsigned_at(*rows, row, 1)},
                           .event = {.tx = TxId(rows->uuid(row, 2)),
                                     .sequence = EventSequence(unsigned_at(*rows, row, 3)),
                                     .body = decode_event(rows->text(row, 4), rows->text(row, 5))}};
    });
}

}  // namespace fencepost::store
