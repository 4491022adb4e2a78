// Acceptance on PostgreSQL: two round trips and one commit for a whole batch. The first inserts and returns what is
// new; the second adds the payload of new transactions and looks up the original of all others.
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "store/json_codec.hpp"
#include "store/postgres/acceptance.hpp"
#include "store/postgres/connection/pg_pool.hpp"
#include "store/postgres/connection/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

// Sequence numbers follow the order of the batch, but rows are inserted in key order: two batches with the same keys in
// different orders would deadlock (failure 22). The unique index decides inside the insert which batch is first; the
// second waits here for the first one's commit and reads its row below.
constexpr Statement insert_transactions{"accept_transactions", R"sql(
WITH numbered AS MATERIALIZED (
    SELECT i.*, nextval('accept_sequence') AS accept_sequence
    FROM (
        SELECT *
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[])
            WITH ORDINALITY AS a (tx_id, submitter, request_id, fingerprint, ord)
        ORDER BY ord
    ) i
)
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint, next_event)
SELECT n.tx_id, n.accept_sequence, n.submitter, n.request_id, n.fingerprint, 2
FROM numbered n
LEFT JOIN submitter_status s ON s.submitter = n.submitter
WHERE coalesce(s.status, 'ACTIVE') = 'ACTIVE'
ORDER BY n.submitter COLLATE "C", n.request_id COLLATE "C", n.tx_id
ON CONFLICT DO NOTHING
RETURNING tx_id, created_at
)sql"};

// Only for inserted transactions: a repeated request already has its payload.
constexpr Statement insert_intents{"accept_intents", R"sql(
INSERT INTO tx_intent (tx_id, payload)
SELECT i.tx_id, i.payload::jsonb
FROM unnest($1::uuid[], $2::text[]) AS i (tx_id, payload)
)sql"};

constexpr Statement insert_events{"accept_events", R"sql(
INSERT INTO tx_event (tx_id, number, sequence, kind, body, node)
SELECT i.tx_id, i.ord, 1, 'TxAccepted', i.body, ''
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS i (tx_id, body, ord)
)sql"};

// A later statement than the insert, to see what another transaction committed while the insert waited.
constexpr Statement read_existing{"accept_standing", R"sql(
SELECT coalesce(own.tx_id, asked.tx_id),
       coalesce(own.fingerprint, asked.fingerprint),
       coalesce(s.status, 'ACTIVE'),
       coalesce(s.reason, '')
FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS i (tx_id, submitter, request_id, ord)
LEFT JOIN managed_tx own ON own.tx_id = i.tx_id
LEFT JOIN managed_tx asked ON asked.submitter = i.submitter AND asked.request_id = i.request_id
LEFT JOIN submitter_status s ON s.submitter = i.submitter
ORDER BY i.ord
)sql"};

// Runs before a request is refused: its original may be in flight in another session, still invisible, and commit after
// the refusal (failure 24). The unique index sees it: this insert waits for the other transaction's end. Without an
// original the inserted row is removed at once.
constexpr Statement wait_for_original{"accept_ask_index", R"sql(
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint)
SELECT i.tx_id, 0, i.submitter, i.request_id, i.fingerprint
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) AS i (tx_id, submitter, request_id, fingerprint)
ORDER BY i.submitter COLLATE "C", i.request_id COLLATE "C", i.tx_id
ON CONFLICT DO NOTHING
)sql"};

constexpr Statement undo_insert{"accept_take_back", R"sql(
DELETE FROM managed_tx t
USING unnest($1::uuid[]) AS i (tx_id)
WHERE t.tx_id = i.tx_id AND t.xmin = pg_current_xact_id()::xid
)sql"};

// The columns of a batch, each an array.
struct Columns {
    std::vector<std::optional<Uuid>> ids;
    std::vector<std::optional<std::string>> submitters;
    std::vector<std::optional<std::string>> requests;
    std::vector<std::optional<Bytes>> fingerprints;

    void add(const NewIntent& intent) {
        ids.emplace_back(intent.id.value());
        submitters.emplace_back(intent.submitter.to_string());
        requests.push_back(intent.request ? std::optional(intent.request->value()) : std::nullopt);
        fingerprints.emplace_back(to_bytes(fingerprint(intent.intent)));
    }
    [[nodiscard]] Params keys() const { return std::move(Params().add(ids).add(submitters).add(requests)); }
    [[nodiscard]] Params keys_and_bodies() const { return std::move(keys().add(fingerprints)); }
};

Columns columns_of(const std::vector<const NewIntent*>& intents) {
    Columns columns;
    for (const auto* intent : intents)
        columns.add(*intent);
    return columns;
}

// The first of each key within the batch; repetitions are answered by reading.
std::vector<const NewIntent*> without_duplicates(const std::vector<const NewIntent*>& batch) {
    std::vector<const NewIntent*> fresh;
    std::set<std::pair<std::string_view, std::string_view>> keys;
    std::set<TxId> ids;
    for (const auto* intent : batch) {
        const bool new_id = ids.insert(intent->id).second;
        const bool new_key =
            !intent->request || keys.insert({intent->submitter.to_string(), intent->request->value()}).second;
        if (new_id && new_key) fresh.push_back(intent);
    }
    return fresh;
}

std::vector<Query> dependent_inserts(const std::vector<const NewIntent*>& fresh, const Inserted& inserted) {
    std::vector<std::optional<Uuid>> ids;
    std::vector<std::optional<std::string>> payloads;
    std::vector<std::optional<std::string>> events;
    for (const auto* intent : fresh) {
        if (!inserted.contains(intent->id)) continue;
        ids.emplace_back(intent->id.value());
        payloads.emplace_back(encode(intent->intent));
        events.emplace_back(encode(TxEventBody(TxAccepted{intent->submitter})));
    }
    if (ids.empty()) return {};
    return {{&insert_intents, std::move(Params().add(ids).add(payloads))},
            {&insert_events, std::move(Params().add(ids).add(events))}};
}

std::vector<Query> refusal_queries(const std::vector<const NewIntent*>& batch) {
    const auto fresh = columns_of(without_duplicates(batch));
    return {
        {&wait_for_original, fresh.keys_and_bodies()},
        {&undo_insert, std::move(Params().add(fresh.ids))},
        {&read_existing, columns_of(batch).keys()},
    };
}

}  // namespace

struct PostgresStore::AcceptRound {
    Inserted inserted;
    std::optional<Rows> existing;  // empty when everything was inserted
};

Task<Result<PostgresStore::AcceptRound, StoreError>> PostgresStore::accept_round(std::vector<const NewIntent*> asked) {
    const auto fresh = without_duplicates(asked);
    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    std::vector<Query> first;
    first.push_back({&insert_transactions, columns_of(fresh).keys_and_bodies()});
    const auto rows = co_await session.begin(std::move(first));
    if (!rows) co_return err(to_store_error(rows.error()));

    AcceptRound round;
    for (std::size_t row = 0; row < rows->front().size(); ++row)
        round.inserted.emplace(rows->front().uuid(row, 0), rows->front().time(row, 1));
    auto rest = dependent_inserts(fresh, round.inserted);
    const bool read = round.inserted.size() < asked.size();
    if (read) rest.push_back({&read_existing, columns_of(asked).keys()});
    auto committed = co_await session.commit(std::move(rest));
    if (!committed) co_return err(to_store_error(committed.error()));
    if (read) round.existing = std::move(committed->back());
    co_return round;
}

Task<Result<std::vector<AcceptAnswer>, StoreError>> PostgresStore::accept(std::vector<NewIntent> batch) {
    Acceptance acceptance(std::move(batch));
    // Accept; check refused intents against the index; accept those whose submitter became active meanwhile.
    while (acceptance.is_open()) {
        auto round = co_await accept_round(acceptance.asked());
        if (!round) co_return err(acceptance.error(round.error()));
        if (round->existing) {
            acceptance.take(*round->existing, std::move(round->inserted));
        } else {
            acceptance.take_all(round->inserted);
        }
        if (acceptance.is_open() || !acceptance.reopen_refused()) continue;

        const auto existing = co_await run(refusal_queries(acceptance.asked()));
        if (!existing) co_return err(acceptance.error(existing.error()));
        acceptance.take(existing->back(), {});
    }
    co_return std::move(acceptance).answers();
}

}  // namespace fencepost::store
