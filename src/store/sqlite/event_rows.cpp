// Appends events, and folds repeated steps.
#include "store/sqlite/event_rows.hpp"

#include "store/json_codec.hpp"

namespace fencepost::store::sqlite {
namespace {

void insert_row(Database& database, const TxId& tx, std::optional<EventSequence> sequence, std::string_view kind,
                std::string_view body, const std::optional<Fence>& fence) {
    const std::string_view node = fence ? std::string_view(fence->node.value()) : "";
    const auto token = fence ? std::optional(fence->token) : std::nullopt;
    database.run(R"sql(
INSERT INTO tx_event (tx_id, sequence, kind, body, node, fencing_token, first_at, last_at)
VALUES (:tx, :sequence, :kind, :body, :node, :token, :now, :now)
)sql",
                 tx, sequence, kind, body, node, token, database.now());
}

// The last row of the transaction, if it is an equal step.
bool fold(Database& database, const TxId& tx, std::string_view kind, std::string_view body, const Fence& fence) {
    const auto changed = database.run(R"sql(
UPDATE tx_event
SET times = times + 1, last_at = fencepost_now(), node = :node, fencing_token = :token
WHERE number = (SELECT max(number) FROM tx_event WHERE tx_id = :tx)
    AND sequence IS NULL
    AND kind = :kind
    AND body = :body
)sql",
                                      fence.node, fence.token, tx, kind, body);
    return changed > 0;
}

}  // namespace

void append_event(Database& database, const TxEvent& event, const std::optional<Fence>& fence) {
    insert_row(database, event.tx, event.sequence, name_of(event.body), encode(event.body), fence);
}

void append_step(Database& database, const TxId& tx, const HistoryStep& step, const Fence& fence) {
    const auto kind = name_of(step.kind);
    const auto body = encode_detail(step.detail);
    if (!fold(database, tx, kind, body, fence)) insert_row(database, tx, std::nullopt, kind, body, fence);
}

}  // namespace fencepost::store::sqlite
