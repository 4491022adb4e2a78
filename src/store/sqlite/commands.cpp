// Operator commands to a lane on SQLite.
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

// Needs no fence: the row is only a request. The lane executes it and marks it done under its fence (failure 25).
CommandSequence insert_command(Database& database, const Command& command) {
    database.run(R"sql(
INSERT INTO submitter_command (submitter, kind, tx_id, requested_by, reason, created_at)
VALUES (:submitter, :kind, :tx, :requested_by, :reason, fencepost_now())
)sql",
                 command.submitter, command.kind, command.tx, storable(command.requested_by), storable(command.reason));
    return CommandSequence(static_cast<std::uint64_t>(database.last_insert_id()));
}

std::optional<Position> tx_position(const Query& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return Position{row.get<State>(column), row.get<SubState>(column + 1)};
}

std::vector<Command> pending_commands(Database& database, const SubmitterId& submitter) {
    std::vector<Command> commands;
    Query row(database, R"sql(
SELECT c.sequence, c.kind, c.tx_id, c.requested_by, c.reason,
       CASE WHEN t.nonce IS NULL AND NOT t.done THEN t.accept_sequence END, t.state, t.sub_state, n.tx_id
FROM submitter_command c
LEFT JOIN managed_tx t ON t.tx_id = c.tx_id AND t.submitter = c.submitter
LEFT JOIN managed_tx n ON n.requeued_from = t.tx_id
WHERE c.submitter = :submitter AND NOT c.done
ORDER BY c.sequence
)sql",
              submitter);
    while (row.step()) {
        commands.push_back({row.get<CommandSequence>(0), submitter, row.get<CommandKind>(1),
                            row.get<std::optional<TxId>>(2), row.get<std::string>(3), row.get<std::string>(4),
                            row.get<std::optional<AcceptSequence>>(5), tx_position(row, 6),
                            row.get<std::optional<TxId>>(8)});
    }
    return commands;
}

}  // namespace

Task<Result<CommandSequence, StoreError>> SqliteStore::post(Command command) {
    return engine_->write(
        [command = std::move(command)](Database& database) { return insert_command(database, command); });
}

Task<Result<std::vector<Command>, StoreError>> SqliteStore::pending(SubmitterId submitter) {
    return engine_->read(
        [submitter = std::move(submitter)](Database& database) { return pending_commands(database, submitter); });
}

}  // namespace fencepost::store
