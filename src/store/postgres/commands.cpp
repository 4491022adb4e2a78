// Commands on PostgreSQL. Posting a command needs no fence, because it is only a request; executing it does and is part
// of a lane's write.
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Statement;

constexpr Statement post_command{"command_post", R"sql(
INSERT INTO submitter_command (submitter, kind, tx_id, requested_by, reason)
VALUES ($1, $2, $3::uuid, $4, $5)
RETURNING sequence
)sql"};

constexpr Statement read_pending{"command_pending", R"sql(
SELECT c.sequence, c.kind, c.tx_id, c.requested_by, c.reason,
       CASE WHEN t.nonce IS NULL AND NOT t.done THEN t.accept_sequence END, t.state, t.sub_state, n.tx_id
FROM submitter_command c
LEFT JOIN managed_tx t ON t.tx_id = c.tx_id AND t.submitter = c.submitter
LEFT JOIN managed_tx n ON n.requeued_from = t.tx_id
WHERE c.submitter = $1 AND NOT c.done
ORDER BY c.sequence
)sql"};

}  // namespace

Task<Result<CommandSequence, StoreError>> PostgresStore::post(Command command) {
    auto params = Params().add(command.submitter.to_string()).add(name_of(command.kind));
    if (command.tx) {
        params.add(command.tx->value());
    } else {
        params.add_null();
    }
    params.add(storable(command.requested_by)).add(storable(command.reason));
    const auto rows = co_await run(Query{&post_command, std::move(params)});
    if (!rows) co_return err(rows.error());
    co_return CommandSequence(unsigned_at(*rows, 0, 0));
}

Task<Result<std::vector<Command>, StoreError>> PostgresStore::pending(SubmitterId submitter) {
    const auto rows = co_await run(Query{&read_pending, Params().add(submitter.to_string())});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return Command{.sequence = CommandSequence(unsigned_at(*rows, row, 0)),
                       .submitter = submitter,
                       .kind = value_of<CommandKind>(rows->text(row, 1)).value(),
                       .tx = tx_id_at(*rows, row, 2),
                       .requested_by = rows->text(row, 3),
                       .reason = rows->text(row, 4),
                       .queued_at = rows->is_null(row, 5) ? std::nullopt : std::optional(sequence_at(*rows, row, 5)),
                       .tx_position = rows->is_null(row, 6) ? std::nullopt : std::optional(position_at(*rows, row, 6)),
                       .requeued_as = tx_id_at(*rows, row, 8)};
    });
}

}  // namespace fencepost::store
