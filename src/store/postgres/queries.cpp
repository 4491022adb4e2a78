// Read queries of the API on PostgreSQL.
#include <fmt/format.h>

#include "store/list_order.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

constexpr Statement find_by_id{"query_by_id", R"sql(
SELECT * FROM tx_view WHERE tx_id = $1
)sql"};

constexpr Statement find_by_request{"query_by_request", R"sql(
SELECT * FROM tx_view WHERE submitter = $1 AND request_id = $2
)sql"};

constexpr Statement find_by_hash{"query_by_hash", R"sql(
SELECT v.*
FROM tx_attempt a
JOIN tx_view v ON v.tx_id = a.tx_id
WHERE a.tx_hash = $1
LIMIT 1
)sql"};

constexpr auto list_all = R"sql(
SELECT *
FROM tx_view
WHERE accept_sequence {beyond} $1 AND ($2 = '' OR state = $2) AND $4 = ''
ORDER BY accept_sequence {way}
LIMIT $3
)sql";

constexpr auto list_of_submitter = R"sql(
SELECT *
FROM tx_view
WHERE submitter = $4 AND accept_sequence {beyond} $1 AND ($2 = '' OR state = $2)
ORDER BY accept_sequence {way}
LIMIT $3
)sql";

// A submitter's unfinished transactions are few, but lie behind all settled ones.
constexpr auto list_unfinished = R"sql(
SELECT v.*
FROM unfinished_submitter u
CROSS JOIN LATERAL (
    SELECT t.tx_id
    FROM managed_tx t
    WHERE NOT t.done AND t.submitter = u.submitter AND t.accept_sequence {beyond} $1 AND t.state = $2
    ORDER BY t.accept_sequence {way}
    LIMIT $3
) first_of
JOIN tx_view v ON v.tx_id = first_of.tx_id
WHERE $4 = '' OR u.submitter = $4
ORDER BY v.accept_sequence {way}
LIMIT $3
)sql";

constexpr auto list_not_confirmed = R"sql(
SELECT v.*
FROM (
    SELECT tx_id
    FROM managed_tx
    WHERE verdict = $2 AND verdict <> 'CONFIRMED' AND accept_sequence {beyond} $1 AND ($4 = '' OR submitter = $4)
    ORDER BY accept_sequence {way}
    LIMIT $3
) first_of
JOIN tx_view v ON v.tx_id = first_of.tx_id
ORDER BY v.accept_sequence {way}
)sql";

constexpr Statement read_attempts{"query_attempts", R"sql(
SELECT kind, nonce, tx_hash, raw, gas_params
FROM tx_attempt
WHERE tx_id = $1
ORDER BY ordinal
)sql"};

// Acceptance has no row of its own: the transaction's row has its time.
constexpr Statement read_history{"query_history", R"sql(
WITH accepted AS (
    SELECT 'accepted' AS kind, '""' AS body, '' AS node, NULL::bigint AS fencing_token, 1 AS times,
           created_at AS first_at, created_at AS last_at, NULL::bigint AS number
    FROM managed_tx
    WHERE tx_id = $1
), steps AS (
    SELECT kind, body, node, fencing_token, times, first_at, last_at, number
    FROM tx_event
    WHERE tx_id = $1 AND sequence IS NULL
)
SELECT kind, body, node, fencing_token, times, first_at, last_at
FROM (SELECT * FROM accepted UNION ALL SELECT * FROM steps) all_steps
ORDER BY number NULLS FIRST
)sql"};

constexpr Statement read_confirmations{"query_confirmations", R"sql(
SELECT confirmations FROM managed_tx WHERE tx_id = $1
)sql"};

constexpr Statement read_cursor{"query_cursor", R"sql(
SELECT next_nonce, window_size, window_limit, window_changed_at FROM submitter_nonce_cursor WHERE submitter = $1
)sql"};

constexpr Statement read_status{"query_status", R"sql(
SELECT status, reason, updated_at FROM submitter_status WHERE submitter = $1
)sql"};

constexpr Statement read_lease{"query_lease", R"sql(
SELECT owner_node, fencing_token, acquired_at, expires_at, expires_at > clock_timestamp()
FROM submitter_lease
WHERE submitter = $1
)sql"};

constexpr Statement read_owner{"query_owner", R"sql(
SELECT owner_node FROM submitter_lease WHERE submitter = $1 AND expires_at > clock_timestamp()
)sql"};

// One statement, so that a transaction settled meanwhile is counted once.
constexpr Statement count_states{"query_counts", R"sql(
SELECT state, count(*)
FROM managed_tx
WHERE submitter = $1 AND NOT done
GROUP BY state
UNION ALL
SELECT state, count
FROM submitter_tally
WHERE submitter = $1
)sql"};

// All rows, because the domain decides what is in flight; bounded by the window and the blocks until finality.
constexpr Statement read_allocated{"query_allocated", R"sql(
SELECT tx_id, nonce, state, sub_state
FROM managed_tx
WHERE submitter = $1 AND NOT done AND nonce IS NOT NULL
ORDER BY nonce
)sql"};

constexpr Statement read_oldest{"query_oldest", R"sql(
SELECT tx_id, created_at
FROM managed_tx
WHERE submitter = $1 AND NOT done
ORDER BY accept_sequence
LIMIT 1
)sql"};

// Skips from one submitter to the next in the index: each has many transactions.
constexpr Statement read_submitters{"query_submitters", R"sql(
WITH RECURSIVE senders AS (
    (SELECT submitter FROM managed_tx WHERE submitter > $1 ORDER BY submitter LIMIT 1)
    UNION ALL
    SELECT (SELECT t.submitter FROM managed_tx t WHERE t.submitter > s.submitter ORDER BY t.submitter LIMIT 1)
    FROM senders s
    WHERE s.submitter IS NOT NULL
), first_senders AS (
    SELECT submitter FROM senders WHERE submitter IS NOT NULL LIMIT $2
)
SELECT submitter FROM first_senders
UNION
SELECT submitter FROM submitter_nonce_cursor WHERE submitter > $1
UNION
SELECT submitter FROM submitter_nonce_state WHERE submitter > $1
UNION
SELECT submitter FROM submitter_status WHERE submitter > $1
UNION
SELECT submitter FROM submitter_lease WHERE submitter > $1
UNION
SELECT submitter FROM submitter_command WHERE NOT done AND submitter > $1
ORDER BY submitter
LIMIT $2
)sql"};

constexpr Statement read_unfinished{"query_unfinished", R"sql(
WITH with_work AS (
    SELECT submitter FROM unfinished_submitter
    UNION
    SELECT submitter FROM submitter_command WHERE NOT done
    UNION
    SELECT submitter FROM submitter_nonce_cursor WHERE watch_from < next_nonce
)
SELECT w.submitter, l.owner_node, l.fencing_token, l.acquired_at, l.expires_at,
       coalesce(l.expires_at > clock_timestamp(), false)
FROM with_work w
LEFT JOIN submitter_lease l ON l.submitter = w.submitter
ORDER BY w.submitter
)sql"};

// A list in both orders, each a statement of its own.
class ListStatements {
public:
    ListStatements(std::string_view name, std::string_view sql)
        : newest_name_(fmt::format("{}_newest", name)),
          sql_(sql),
          oldest_first_{name, sql_.in(ListOrder::oldest_first)},
          newest_first_{newest_name_, sql_.in(ListOrder::newest_first)} {}
    ListStatements(const ListStatements&) = delete;
    ListStatements& operator=(const ListStatements&) = delete;

    [[nodiscard]] const Statement& in(ListOrder order) const {
        return order == ListOrder::oldest_first ? oldest_first_ : newest_first_;
    }

private:
    std::string newest_name_;
    BothOrders sql_;
    Statement oldest_first_;
    Statement newest_first_;
};

// Almost all transactions are confirmed: a list of those, or of all, walks the table in order. Any other state is rare,
// and such a walk would not end. All statements take the same four parameters.
const Statement& list_statement(const TxFilter& filter) {
    static const ListStatements unfinished("query_list_unfinished", list_unfinished);
    static const ListStatements not_confirmed("query_list_verdict", list_not_confirmed);
    static const ListStatements of_submitter("query_list_of", list_of_submitter);
    static const ListStatements all("query_list", list_all);
    if (filter.state && !is_final(*filter.state)) return unfinished.in(filter.order);
    if (filter.state && filter.state != State::confirmed) return not_confirmed.in(filter.order);
    return (filter.submitter ? of_submitter : all).in(filter.order);
}

template <typename T, typename Read>
std::optional<T> unless_null(const Rows& rows, std::size_t row, std::size_t column, Read read) {
    if (rows.is_null(row, column)) return std::nullopt;
    return read();
}

// Four columns: owner_node, fencing_token, acquired_at, expires_at.
Lease lease_at(const Rows& rows, std::size_t row, std::size_t column) {
    return {NodeId(rows.text(row, column)), FenceToken(unsigned_at(rows, row, column + 1)), rows.time(row, column + 2),
            rows.time(row, column + 3)};
}

std::vector<SubmitterView::InFlight> in_flight_in(const Rows& rows) {
    std::vector<SubmitterView::InFlight> in_flight;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!holds_unconsumed_nonce(position_at(rows, row, 2))) continue;
        in_flight.push_back({TxId(rows.uuid(row, 0)), nonce_at(rows, row, 1)});
    }
    return in_flight;
}

TxView view_at(const Rows& rows, std::size_t row) {
    return {
        .id = TxId(rows.uuid(row, 0)),
        .submitter = SubmitterId::parse(rows.text(row, 1)).value(),
        .request = unless_null<RequestId>(rows, row, 2, [&] { return RequestId(rows.text(row, 2)); }),
        .sequence = sequence_at(rows, row, 3),
        .intent = decode_intent(rows.text(row, 4)),
        .position = position_at(rows, row, 5),
        .abandonment = value_of<Abandonment>(rows.text(row, 7)).value(),
        .nonce = unless_null<Nonce>(rows, row, 8, [&] { return nonce_at(rows, row, 8); }),
        .hash = unless_null<TxHash>(rows, row, 9, [&] { return fixed_at<TxHash>(rows, row, 9); }),
        .submit_attempts = static_cast<std::uint32_t>(rows.integer(row, 10)),
        .first_submit_at = time_at(rows, row, 11),
        .last_submit_at = time_at(rows, row, 12),
        .next_action_at = time_at(rows, row, 13),
        .last_receipt_check = time_at(rows, row, 14),
        .receipt = receipt_at(rows, row, 15),
        .confirmed_at = time_at(rows, row, 16),
        .error = rows.is_null(row, 17) ? "" : rows.text(row, 17),
        .fencing_token = unless_null<FenceToken>(rows, row, 18, [&] { return FenceToken(unsigned_at(rows, row, 18)); }),
        .created_at = rows.time(row, 19),
        .updated_at = rows.time(row, 20),
        .requeued_from = tx_id_at(rows, row, 21),
        .requeued_as = tx_id_at(rows, row, 22)};
}

}  // namespace

Task<Result<std::optional<TxView>, StoreError>> PostgresStore::find(Query query) {
    const auto rows = co_await read(std::move(query));
    if (!rows) co_return err(rows.error());
    if (rows->size() == 0) co_return std::optional<TxView>{};
    co_return std::optional(view_at(*rows, 0));
}

Task<Result<std::optional<TxView>, StoreError>> PostgresStore::by_id(TxId id) {
    return find({&find_by_id, Params().add(id.value())});
}

Task<Result<std::optional<TxView>, StoreError>> PostgresStore::by_request(SubmitterId submitter, RequestId request) {
    return find({&find_by_request, Params().add(submitter.to_string()).add(request.value())});
}

Task<Result<std::optional<TxView>, StoreError>> PostgresStore::by_hash(TxHash hash) {
    return find({&find_by_hash, Params().add(hash.view())});
}

Task<Result<std::vector<TxView>, StoreError>> PostgresStore::list(TxFilter filter) {
    auto params = Params()
                      .add(cursor_of(filter))
                      .add(filter.state ? name_of(*filter.state) : "")
                      .add(static_cast<std::int64_t>(filter.limit))
                      .add(filter.submitter ? filter.submitter->to_string() : "");
    const auto rows = co_await read(Query{&list_statement(filter), std::move(params)});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) { return view_at(*rows, row); });
}

Task<Result<std::vector<Attempt>, StoreError>> PostgresStore::attempts(TxId id) {
    const auto rows = co_await read(Query{&read_attempts, Params().add(id.value())});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) { return attempt_at(*rows, row, 0); });
}

Task<Result<std::vector<HistoryEntry>, StoreError>> PostgresStore::history(TxId id) {
    const auto rows = co_await read(Query{&read_history, Params().add(id.value())});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return HistoryEntry{
            .step = {value_of<HistoryKind>(rows->text(row, 0)).value(), decode_detail(rows->text(row, 1))},
            .node = NodeId(rows->text(row, 2)),
            .token = unless_null<FenceToken>(*rows, row, 3, [&] { return FenceToken(unsigned_at(*rows, row, 3)); }),
            .times = static_cast<std::uint32_t>(rows->integer(row, 4)),
            .first_at = rows->time(row, 5),
            .last_at = rows->time(row, 6)};
    });
}

Task<Result<std::vector<BlockRef>, StoreError>> PostgresStore::stored_confirmations(TxId id) {
    const auto rows = co_await read(Query{&read_confirmations, Params().add(id.value())});
    if (!rows) co_return err(rows.error());
    if (rows->size() == 0 || rows->is_null(0, 0)) co_return std::vector<BlockRef>{};
    co_return decode_blocks(rows->text(0, 0));
}

Task<Result<SubmitterView, StoreError>> PostgresStore::submitter(SubmitterId submitter) {
    const auto name = Params().add(submitter.to_string());
    const auto rows = co_await read(std::vector<Query>{{&read_cursor, name},
                                                       {&read_status, name},
                                                       {&read_lease, name},
                                                       {&count_states, name},
                                                       {&read_allocated, name},
                                                       {&read_oldest, name}});
    if (!rows) co_return err(rows.error());
    SubmitterView view{.in_flight = in_flight_in(rows->at(4))};
    if (const auto& cursor = rows->at(0); cursor.size() == 1) {
        view.next_nonce = nonce_at(cursor, 0, 0);
        view.window = window_at(cursor, 0, 1);
        view.window_since = time_at(cursor, 0, 3);
    }
    if (const auto& status = rows->at(1); status.size() == 1) {
        view.status = status_at(status, 0, 0);
        view.status_since = status.time(0, 2);
    }
    if (const auto& lease = rows->at(2); lease.size() == 1) {
        view.lease = lease_at(lease, 0, 0);
        view.held = lease.boolean(0, 4);
    }
    if (const auto& oldest = rows->at(5); oldest.size() == 1) {
        view.oldest_pending = {TxId(oldest.uuid(0, 0)), oldest.time(0, 1)};
    }
    const auto& counts = rows->at(3);
    for (std::size_t row = 0; row < counts.size(); ++row) {
        view.counts[value_of<State>(counts.text(row, 0)).value()] = unsigned_at(counts, row, 1);
    }
    co_return view;
}

Task<Result<std::optional<NodeId>, StoreError>> PostgresStore::owner(SubmitterId submitter) {
    const auto rows = co_await read(Query{&read_owner, Params().add(submitter.to_string())});
    if (!rows) co_return err(rows.error());
    if (rows->size() == 0) co_return std::optional<NodeId>{};
    co_return std::optional(NodeId(rows->text(0, 0)));
}

Task<Result<std::vector<SubmitterId>, StoreError>> PostgresStore::submitters(std::string after, std::size_t limit) {
    const auto rows = co_await read(Query{&read_submitters, Params().add(after).add(static_cast<std::int64_t>(limit))});
    if (!rows) co_return err(rows.error());
    std::vector<SubmitterId> submitters;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        if (auto submitter = SubmitterId::parse(rows->text(row, 0))) submitters.push_back(*std::move(submitter));
    }
    co_return submitters;
}

Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> PostgresStore::unfinished_submitters() {
    // Used by nodes to find their work, so it does not queue behind API reads.
    const auto rows = co_await run(Query{&read_unfinished, {}});
    if (!rows) co_return err(rows.error());
    std::vector<UnfinishedSubmitter> submitters;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        // Only a manual edit writes an invalid submitter name; it must not keep the others from being served.
        auto submitter = SubmitterId::parse(rows->text(row, 0));
        if (!submitter) continue;
        submitters.push_back({.submitter = std::move(*submitter),
                              .lease = unless_null<Lease>(*rows, row, 1, [&] { return lease_at(*rows, row, 1); }),
                              .held = rows->boolean(row, 5)});
    }
    co_return submitters;
}

}  // namespace fencepost::store
