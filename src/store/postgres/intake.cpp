// Accepting on PostgreSQL: one round trip and one commit for a whole batch.
#include <algorithm>
#include <set>

#include "base/assert.hpp"
#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/postgres/postgres_store.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

// Numbers are drawn in the order asked, but rows are inserted in the order of their keys: two batches that insert the
// same keys in different orders would each wait for the other (failure 22). The unique index decides who was first,
// inside the insert; whoever comes second waits for the first's commit here, and reads it below.
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
ORDER BY n.submitter, n.request_id, n.tx_id
ON CONFLICT DO NOTHING
)sql"};

// Only for rows that this very transaction inserted: a request that came again has its payload already.
constexpr Statement insert_intents{"accept_intents", R"sql(
INSERT INTO tx_intent (tx_id, payload)
SELECT i.tx_id, i.payload::jsonb
FROM unnest($1::uuid[], $2::text[]) AS i (tx_id, payload)
JOIN managed_tx t ON t.tx_id = i.tx_id
WHERE t.xmin = pg_current_xact_id()::xid
)sql"};

constexpr Statement insert_events{"accept_events", R"sql(
INSERT INTO tx_event (tx_id, sequence, kind, body, node)
SELECT t.tx_id, 1, 'TxAccepted', jsonb_build_object('submitter', t.submitter), ''
FROM unnest($1::uuid[]) AS i (tx_id)
JOIN managed_tx t ON t.tx_id = i.tx_id
WHERE t.xmin = pg_current_xact_id()::xid
)sql"};

// A later statement than the insert, so that it sees what another transaction committed while the insert waited.
constexpr Statement read_standing{"accept_standing", R"sql(
SELECT coalesce(own.tx_id, asked.tx_id),
       coalesce(own.fingerprint, asked.fingerprint),
       coalesce(own.xmin = pg_current_xact_id()::xid, false),
       coalesce(s.status, 'ACTIVE'),
       coalesce(s.reason, '')
FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS i (tx_id, submitter, request_id, ord)
LEFT JOIN managed_tx own ON own.tx_id = i.tx_id
LEFT JOIN managed_tx asked ON asked.submitter = i.submitter AND asked.request_id = i.request_id
LEFT JOIN submitter_status s ON s.submitter = i.submitter
ORDER BY i.ord
)sql"};

// Before a request is refused: its original may be under way in another backend, where nobody can see it, and commit
// after the refusal (failure 24). The unique index can: this waits for the other's end. What it inserts where there is
// no original is taken back at once.
constexpr Statement ask_index{"accept_ask_index", R"sql(
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint)
SELECT i.tx_id, 0, i.submitter, i.request_id, i.fingerprint
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) AS i (tx_id, submitter, request_id, fingerprint)
ORDER BY i.submitter, i.request_id, i.tx_id
ON CONFLICT DO NOTHING
)sql"};

constexpr Statement take_back{"accept_take_back", R"sql(
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
    std::vector<std::optional<std::string>> payloads;

    void add_key(const NewIntent& intent) {
        ids.emplace_back(intent.id.value());
        submitters.emplace_back(intent.submitter.to_string());
        requests.push_back(intent.request ? std::optional(intent.request->value()) : std::nullopt);
    }
    void add(const NewIntent& intent) {
        add_key(intent);
        fingerprints.emplace_back(to_bytes(fingerprint(intent.intent)));
        payloads.emplace_back(encode(intent.intent));
    }
};

using Key = std::pair<std::string, std::string>;

// The first of each key within the batch; the others are answered by reading.
Columns without_repetitions(const std::vector<const NewIntent*>& batch) {
    Columns columns;
    std::set<Key> keys;
    std::set<TxId> ids;
    for (const auto* intent : batch) {
        const bool new_id = ids.insert(intent->id).second;
        const bool new_key =
            !intent->request || keys.insert({intent->submitter.to_string(), intent->request->value()}).second;
        if (new_id && new_key) columns.add(*intent);
    }
    return columns;
}

std::vector<Query> accept_queries(const std::vector<const NewIntent*>& batch) {
    const auto fresh = without_repetitions(batch);
    Columns all;
    for (const auto* intent : batch)
        all.add_key(*intent);
    return {
        {&insert_transactions,
         Params().add(fresh.ids).add(fresh.submitters).add(fresh.requests).add(fresh.fingerprints)},
        {&insert_intents, Params().add(fresh.ids).add(fresh.payloads)},
        {&insert_events, Params().add(fresh.ids)},
        {&read_standing, Params().add(all.ids).add(all.submitters).add(all.requests)},
    };
}

std::vector<Query> refusal_queries(const std::vector<const NewIntent*>& batch) {
    const auto fresh = without_repetitions(batch);
    Columns all;
    for (const auto* intent : batch)
        all.add(*intent);
    return {
        {&ask_index, Params().add(fresh.ids).add(fresh.submitters).add(fresh.requests).add(fresh.fingerprints)},
        {&take_back, Params().add(fresh.ids)},
        {&read_standing, Params().add(all.ids).add(all.submitters).add(all.requests)},
    };
}

bool is_refusal(const AcceptAnswer& answer) {
    return answer.kind == AcceptKind::submitter_paused || answer.kind == AcceptKind::submitter_protected;
}

// Nothing when the submitter was refused at the insert and is active now: asked again, it will be accepted.
std::optional<AcceptAnswer> answer(const NewIntent& intent, const Rows& rows, std::size_t row, std::set<TxId>& told) {
    if (rows.is_null(row, 0)) {
        const auto status = rows.text(row, 3);
        if (status == name_of(SubmitterStatus::active)) return std::nullopt;
        const auto kind =
            status == name_of(SubmitterStatus::paused) ? AcceptKind::submitter_paused : AcceptKind::submitter_protected;
        return AcceptAnswer{kind, intent.id, rows.text(row, 4)};
    }
    const TxId standing(rows.uuid(row, 0));
    const bool inserted_now = rows.boolean(row, 2) && told.insert(standing).second;
    if (inserted_now) return AcceptAnswer{AcceptKind::accepted, standing, ""};
    const bool same = rows.bytes(row, 1) == to_bytes(fingerprint(intent.intent));
    return AcceptAnswer{same ? AcceptKind::same_again : AcceptKind::other_body, standing, ""};
}

// A batch on its way: which of its intents are still to be answered, and the answers so far.
class Acceptance {
public:
    explicit Acceptance(std::vector<NewIntent> batch) : batch_(std::move(batch)), answers_(batch_.size()) {
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const auto wrong = why_not_storable(batch_[i]);
            if (wrong.empty()) {
                open_.push_back(i);
            } else {
                answers_[i] = AcceptAnswer{AcceptKind::invalid, batch_[i].id, wrong};
            }
        }
    }

    [[nodiscard]] bool is_open() const { return !open_.empty(); }

    [[nodiscard]] std::vector<const NewIntent*> asked() const {
        std::vector<const NewIntent*> intents;
        intents.reserve(open_.size());
        for (const auto i : open_)
            intents.push_back(&batch_[i]);
        return intents;
    }

    void take(const Rows& rows) {
        std::set<TxId> told;
        std::vector<std::size_t> again;
        for (std::size_t row = 0; row < open_.size(); ++row) {
            const auto i = open_[row];
            answers_[i] = answer(batch_[i], rows, row, told);
            if (!answers_[i]) again.push_back(i);
        }
        open_ = std::move(again);
    }

    /// Whether anything was refused that has a request id; it is then to be answered again.
    bool reopen_refused() {
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            if (is_refusal(*answers_[i]) && batch_[i].request) open_.push_back(i);
        }
        return is_open();
    }

    // What an earlier round accepted stands, whatever becomes of this one.
    [[nodiscard]] StoreError error(StoreError of_this_round) const {
        const bool wrote = std::ranges::any_of(
            answers_, [](const auto& answer) { return answer && answer->kind == AcceptKind::accepted; });
        return wrote ? StoreError::unknown_outcome : of_this_round;
    }

    [[nodiscard]] std::vector<AcceptAnswer> answers() && {
        std::vector<AcceptAnswer> result;
        result.reserve(answers_.size());
        for (auto& one : answers_)
            result.push_back(*std::move(one));
        return result;
    }

private:
    std::vector<NewIntent> batch_;
    std::vector<std::optional<AcceptAnswer>> answers_;
    std::vector<std::size_t> open_{};
};

}  // namespace

Task<Result<std::vector<AcceptAnswer>, StoreError>> PostgresStore::accept(std::vector<NewIntent> batch) {
    Acceptance acceptance(std::move(batch));
    // Accept; ask the index about those refused; accept those whose submitter has become active meanwhile.
    while (acceptance.is_open()) {
        const auto rows = co_await run(accept_queries(acceptance.asked()));
        if (!rows) co_return err(acceptance.error(rows.error()));
        acceptance.take(rows->back());
        if (acceptance.is_open() || !acceptance.reopen_refused()) continue;

        const auto standing = co_await run(refusal_queries(acceptance.asked()));
        if (!standing) co_return err(acceptance.error(standing.error()));
        acceptance.take(standing->back());
    }
    co_return std::move(acceptance).answers();
}

}  // namespace fencepost::store
