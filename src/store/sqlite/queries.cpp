// Read queries of the API on SQLite. Statements cost no round trip here, so lists read ids first and then load each
// transaction with a single shared statement.
#include "store/json_codec.hpp"
#include "store/list_order.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/lease_rows.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/tx_rows.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

std::optional<TxView> view(Database& database, const TxId& id) {
    Query row(database, R"sql(
SELECT t.submitter, t.request_id, t.accept_sequence, i.payload, t.state, t.sub_state, t.abandonment, t.nonce, t.tx_hash,
       t.submit_attempts, t.first_submit_at, t.last_submit_at, t.next_resubmit_at, t.last_receipt_check, t.receipt,
       t.confirmed_at, coalesce(t.last_error, ''), t.fencing_token, t.created_at, t.updated_at,
       t.requeued_from, n.tx_id
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
LEFT JOIN managed_tx n ON n.requeued_from = t.tx_id
WHERE t.tx_id = :tx
)sql",
              id);
    if (!row.step()) return std::nullopt;
    using Time = std::optional<UnixTime>;
    return TxView{.id = id,
                  .submitter = row.get<SubmitterId>(0),
                  .request = row.get<std::optional<RequestId>>(1),
                  .sequence = row.get<AcceptSequence>(2),
                  .intent = decode_intent(row.text(3)),
                  .position = {row.get<State>(4), row.get<SubState>(5)},
                  .abandonment = row.get<Abandonment>(6),
                  .nonce = row.get<std::optional<Nonce>>(7),
                  .hash = row.get<std::optional<TxHash>>(8),
                  .submit_attempts = row.get<std::uint32_t>(9),
                  .first_submit_at = row.get<Time>(10),
                  .last_submit_at = row.get<Time>(11),
                  .next_action_at = row.get<Time>(12),
                  .last_receipt_check = row.get<Time>(13),
                  .receipt = read_receipt(row, 14),
                  .confirmed_at = row.get<Time>(15),
                  .error = row.get<std::string>(16),
                  .fencing_token = row.get<std::optional<FenceToken>>(17),
                  .created_at = row.get<UnixTime>(18),
                  .updated_at = row.get<UnixTime>(19),
                  .requeued_from = row.get<std::optional<TxId>>(20),
                  .requeued_as = row.get<std::optional<TxId>>(21)};
}

std::optional<TxView> view(Database& database, const std::optional<TxId>& id) {
    return id ? view(database, *id) : std::nullopt;
}

std::vector<TxView> views(Database& database, Query& ids) {
    std::vector<TxView> views;
    while (ids.step()) {
        if (auto found = view(database, ids.get<TxId>(0))) views.push_back(*std::move(found));
    }
    return views;
}

constexpr auto list_unfinished = R"sql(
SELECT tx_id
FROM managed_tx INDEXED BY managed_tx_unfinished
WHERE NOT done AND accept_sequence {beyond} :after AND state = :state AND submitter = coalesce(:submitter, submitter)
ORDER BY accept_sequence {way}
LIMIT :limit
)sql";

constexpr auto list_not_confirmed = R"sql(
SELECT tx_id
FROM managed_tx INDEXED BY managed_tx_verdict
WHERE done AND state <> 'CONFIRMED' AND accept_sequence {beyond} :after AND state = :state
  AND submitter = coalesce(:submitter, submitter)
ORDER BY accept_sequence {way}
LIMIT :limit
)sql";

constexpr auto list_of_submitter = R"sql(
SELECT tx_id
FROM managed_tx
WHERE accept_sequence {beyond} :after AND state = coalesce(:state, state) AND submitter = :submitter
ORDER BY accept_sequence {way}
LIMIT :limit
)sql";

constexpr auto list_all = R"sql(
SELECT tx_id
FROM managed_tx
WHERE accept_sequence {beyond} :after AND state = coalesce(:state, state) AND :submitter IS NULL
ORDER BY accept_sequence {way}
LIMIT :limit
)sql";

// One statement per index. Almost all transactions are confirmed, so a list of those, or of all, walks the table in
// order; any other state is rare. The texts are kept: prepared statements are found by address.
std::string_view list_statement(const TxFilter& filter) {
    static const BothOrders unfinished(list_unfinished);
    static const BothOrders not_confirmed(list_not_confirmed);
    static const BothOrders of_submitter(list_of_submitter);
    static const BothOrders all(list_all);
    if (filter.state && !is_final(*filter.state)) return unfinished.in(filter.order);
    if (filter.state && filter.state != State::confirmed) return not_confirmed.in(filter.order);
    return (filter.submitter ? of_submitter : all).in(filter.order);
}

std::vector<TxView> filtered(Database& database, const TxFilter& filter) {
    Query ids(database, list_statement(filter), cursor_of(filter), filter.state, filter.submitter, bound(filter.limit));
    return views(database, ids);
}

std::vector<Attempt> attempts_of(Database& database, const TxId& id) {
    std::vector<Attempt> attempts;
    Query row(database, R"sql(
SELECT kind, nonce, tx_hash, raw, gas_params
FROM tx_attempt
WHERE tx_id = :tx
ORDER BY ordinal
)sql",
              id);
    while (row.step())
        attempts.push_back(read_attempt(row, 0));
    return attempts;
}

std::vector<HistoryEntry> history_of(Database& database, const TxId& id) {
    std::vector<HistoryEntry> entries;
    // Acceptance has no row of its own: the transaction's row has its time.
    Query row(database, R"sql(
WITH accepted AS (
    SELECT 'accepted' AS kind, '""' AS body, '' AS node, NULL AS fencing_token, 1 AS times,
           created_at AS first_at, created_at AS last_at, NULL AS number
    FROM managed_tx
    WHERE tx_id = :tx
), steps AS (
    SELECT kind, body, node, fencing_token, times, first_at, last_at, number
    FROM tx_event
    WHERE tx_id = :tx AND sequence IS NULL
)
SELECT kind, body, node, fencing_token, times, first_at, last_at
FROM (SELECT * FROM accepted UNION ALL SELECT * FROM steps)
ORDER BY number
)sql",
              id);
    while (row.step()) {
        entries.push_back({{row.get<HistoryKind>(0), decode_detail(row.text(1))},
                           row.get<NodeId>(2),
                           row.get<std::optional<FenceToken>>(3),
                           row.get<std::uint32_t>(4),
                           row.get<UnixTime>(5),
                           row.get<UnixTime>(6)});
    }
    return entries;
}

std::vector<BlockRef> kept_list(Database& database, const TxId& id) {
    const auto json =
        find_value<std::optional<std::string>>(database, "SELECT confirmations FROM managed_tx WHERE tx_id = :tx", id);
    return json && *json ? decode_blocks(**json) : std::vector<BlockRef>{};
}

std::vector<SubmitterView::InFlight> in_flight_of(Database& database, const SubmitterId& submitter) {
    std::vector<SubmitterView::InFlight> in_flight;
    Query row(database, R"sql(
SELECT tx_id, nonce, state, sub_state
FROM managed_tx
WHERE submitter = :submitter AND NOT done AND nonce IS NOT NULL
ORDER BY nonce
)sql",
              submitter);
    while (row.step()) {
        if (!holds_unconsumed_nonce({row.get<State>(2), row.get<SubState>(3)})) continue;
        in_flight.push_back({row.get<TxId>(0), row.get<Nonce>(1)});
    }
    return in_flight;
}

std::optional<SubmitterView::Oldest> oldest_pending_of(Database& database, const SubmitterId& submitter) {
    Query row(database, R"sql(
SELECT tx_id, created_at
FROM managed_tx
WHERE submitter = :submitter AND NOT done
ORDER BY accept_sequence
LIMIT 1
)sql",
              submitter);
    if (!row.step()) return std::nullopt;
    return SubmitterView::Oldest{row.get<TxId>(0), row.get<UnixTime>(1)};
}

// Verdicts were counted when given: there may be millions.
std::map<State, std::uint64_t> counts_of(Database& database, const SubmitterId& submitter) {
    std::map<State, std::uint64_t> counts;
    Query row(database, R"sql(
SELECT state, count(*) FROM managed_tx WHERE submitter = :submitter AND NOT done GROUP BY state
UNION ALL
SELECT state, count FROM submitter_tally WHERE submitter = :submitter
)sql",
              submitter);
    while (row.step())
        counts[row.get<State>(0)] = row.get<std::uint64_t>(1);
    return counts;
}

SubmitterView view_submitter(Database& database, const SubmitterId& submitter) {
    SubmitterView view{.status = find_status(database, submitter),
                       .status_since = find_value<UnixTime>(database, R"sql(
SELECT updated_at FROM submitter_status WHERE submitter = :submitter
)sql",
                                                            submitter),
                       .lease = find_lease(database, submitter),
                       .in_flight = in_flight_of(database, submitter),
                       .oldest_pending = oldest_pending_of(database, submitter)};
    view.held = view.lease && !is_expired(*view.lease, database.now());
    if (const auto cursor = find_cursor(database, submitter)) {
        view.next_nonce = cursor->next_nonce;
        view.window = cursor->window;
        view.window_since = cursor->window_since;
    }
    view.counts = counts_of(database, submitter);
    return view;
}

std::vector<SubmitterId> submitters_on_record(Database& database, const std::string& after, std::size_t limit) {
    std::vector<SubmitterId> submitters;
    Query row(database, R"sql(
WITH RECURSIVE senders AS (
    SELECT min(submitter) AS submitter FROM managed_tx WHERE submitter > :after
    UNION ALL
    SELECT (SELECT min(t.submitter) FROM managed_tx t WHERE t.submitter > s.submitter)
    FROM senders s
    WHERE s.submitter IS NOT NULL
)
SELECT submitter FROM senders WHERE submitter IS NOT NULL
UNION
SELECT submitter FROM submitter_nonce_cursor WHERE submitter > :after
UNION
SELECT submitter FROM submitter_nonce_state WHERE submitter > :after
UNION
SELECT submitter FROM submitter_status WHERE submitter > :after
UNION
SELECT submitter FROM submitter_lease WHERE submitter > :after
UNION
SELECT submitter FROM submitter_command WHERE NOT done AND submitter > :after
ORDER BY submitter
LIMIT :limit
)sql",
              after, bound(limit));
    while (row.step()) {
        if (auto submitter = SubmitterId::parse(row.get<std::string>(0))) submitters.push_back(*std::move(submitter));
    }
    return submitters;
}

// A command is work as well: a submitter paused before it ever sent anything needs a lane to execute it. With DISTINCT
// each part is read along its index, and only distinct values are merged and sorted.
std::vector<UnfinishedSubmitter> submitters_with_work(Database& database) {
    std::vector<UnfinishedSubmitter> submitters;
    Query row(database, R"sql(
SELECT submitter, owner_node, fencing_token, acquired_at, expires_at
FROM (
    SELECT DISTINCT submitter FROM managed_tx WHERE NOT done
    UNION
    SELECT DISTINCT submitter FROM submitter_command WHERE NOT done
    UNION
    SELECT submitter FROM submitter_nonce_cursor WHERE watch_from < next_nonce
)
LEFT JOIN submitter_lease USING (submitter)
ORDER BY submitter
)sql");
    while (row.step()) {
        // Only a manual edit writes an invalid submitter name; it must not keep the others from being served.
        auto submitter = SubmitterId::parse(row.get<std::string>(0));
        if (!submitter) continue;
        std::optional<Lease> lease;
        if (!row.is_null(1))
            lease = {row.get<NodeId>(1), row.get<FenceToken>(2), row.get<UnixTime>(3), row.get<UnixTime>(4)};
        const bool held = lease && !is_expired(*lease, database.now());
        submitters.push_back({std::move(*submitter), std::move(lease), held});
    }
    return submitters;
}

}  // namespace

Task<Result<std::optional<TxView>, StoreError>> SqliteStore::by_id(TxId id) {
    return engine_->read([id](Database& database) { return view(database, id); });
}

Task<Result<std::optional<TxView>, StoreError>> SqliteStore::by_request(SubmitterId submitter, RequestId request) {
    return engine_->read([submitter = std::move(submitter), request = std::move(request)](Database& database) {
        return view(database, find_value<TxId>(database, R"sql(
SELECT tx_id FROM managed_tx WHERE submitter = :submitter AND request_id = :request
)sql",
                                               submitter, request));
    });
}

Task<Result<std::optional<TxView>, StoreError>> SqliteStore::by_hash(TxHash hash) {
    return engine_->read([hash](Database& database) {
        return view(database, find_value<TxId>(database, "SELECT tx_id FROM tx_attempt WHERE tx_hash = :hash", hash));
    });
}

Task<Result<std::vector<TxView>, StoreError>> SqliteStore::list(TxFilter filter) {
    return engine_->read([filter = std::move(filter)](Database& database) { return filtered(database, filter); });
}

Task<Result<std::vector<Attempt>, StoreError>> SqliteStore::attempts(TxId id) {
    return engine_->read([id](Database& database) { return attempts_of(database, id); });
}

Task<Result<std::vector<HistoryEntry>, StoreError>> SqliteStore::history(TxId id) {
    return engine_->read([id](Database& database) { return history_of(database, id); });
}

Task<Result<std::vector<BlockRef>, StoreError>> SqliteStore::stored_confirmations(TxId id) {
    return engine_->read([id](Database& database) { return kept_list(database, id); });
}

Task<Result<SubmitterView, StoreError>> SqliteStore::submitter(SubmitterId submitter) {
    return engine_->read(
        [submitter = std::move(submitter)](Database& database) { return view_submitter(database, submitter); });
}

Task<Result<std::optional<NodeId>, StoreError>> SqliteStore::owner(SubmitterId submitter) {
    return engine_->read([submitter = std::move(submitter)](Database& database) {
        const auto lease = find_lease(database, submitter);
        const bool held = lease && !is_expired(*lease, database.now());
        return held ? std::optional(lease->owner) : std::nullopt;
    });
}

Task<Result<std::vector<SubmitterId>, StoreError>> SqliteStore::submitters(std::string after, std::size_t limit) {
    return engine_->read(
        [after = std::move(after), limit](Database& database) { return submitters_on_record(database, after, limit); });
}

Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> SqliteStore::unfinished_submitters() {
    return engine_->read([](Database& database) { return submitters_with_work(database); });
}

}  // namespace fencepost::store
