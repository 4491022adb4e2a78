#include "plain_sql_load.hpp"

#include <stdexcept>
#include <utility>

#include "store/json_codec.hpp"

namespace fencepost::bench {
namespace {

using store::encode;
using store::pg::Params;
using store::pg::Query;
using store::pg::Statement;

constexpr Statement insert_transactions{"plain_transactions", R"sql(
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint)
SELECT i.tx_id, nextval('accept_sequence'), i.submitter, i.request_id, i.fingerprint
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) AS i (tx_id, submitter, request_id, fingerprint)
)sql"};

constexpr Statement insert_intents{"plain_intents", R"sql(
INSERT INTO tx_intent (tx_id, payload)
SELECT i.tx_id, i.payload::jsonb
FROM unnest($1::uuid[], $2::text[]) AS i (tx_id, payload)
)sql"};

constexpr Statement allocate{"plain_allocate", R"sql(
UPDATE managed_tx t
SET state = 'ALLOCATED', nonce = i.nonce, tx_hash = i.tx_hash, fencing_token = 1, updated_at = clock_timestamp()
FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS i (tx_id, nonce, tx_hash)
WHERE t.tx_id = i.tx_id
)sql"};

constexpr Statement insert_attempts{"plain_attempts", R"sql(
INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token)
SELECT i.tx_id, 0, 'original', i.nonce, i.tx_hash, i.raw, i.gas_params::jsonb, 1
FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bytea[], $5::text[])
    AS i (tx_id, nonce, tx_hash, raw, gas_params)
)sql"};

constexpr Statement assign_nonces{"plain_nonces", R"sql(
INSERT INTO nonce_assignment (submitter, nonce, tx_id)
SELECT *
FROM unnest($1::text[], $2::bigint[], $3::uuid[])
)sql"};

constexpr Statement mine{"plain_mine", R"sql(
UPDATE managed_tx t
SET state = 'TRACKING', sub_state = 'MINED', submit_attempts = 1, first_submit_at = clock_timestamp(),
    last_submit_at = clock_timestamp(), receipt = i.receipt::jsonb, receipt_block_number = i.number,
    receipt_block_hash = i.hash, updated_at = clock_timestamp()
FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[]) AS i (tx_id, receipt, number, hash)
WHERE t.tx_id = i.tx_id
)sql"};

constexpr Statement confirm{"plain_confirm", R"sql(
UPDATE managed_tx t
SET state = 'CONFIRMED', sub_state = '', done = true, confirmed_at = clock_timestamp(),
    confirmations = i.confirmations::jsonb, updated_at = clock_timestamp()
FROM unnest($1::uuid[], $2::text[]) AS i (tx_id, confirmations)
WHERE t.tx_id = i.tx_id
)sql"};

constexpr Statement insert_events{"plain_events", R"sql(
INSERT INTO tx_event (tx_id, number, sequence, kind, body, node, fencing_token)
SELECT i.tx_id, i.ord, i.sequence, i.kind, i.body, 'bench', 1
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY AS i (tx_id, sequence, kind, body, ord)
)sql"};

template <typename T>
using Column = std::vector<std::optional<T>>;

struct Columns {
    Column<Uuid> ids;
    Column<std::string> submitters, requests, payloads, gas_params, receipts, confirmations;
    Column<Bytes> fingerprints, hashes, raws, block_hashes;
    Column<std::int64_t> nonces, block_numbers;

    explicit Columns(const Batch& batch) {
        for (const auto& item : batch)
            add(item);
    }
    void add(const Item& item) {
        const auto attempt = attempt_of(item);
        const auto receipt = receipt_of(item);
        ids.emplace_back(item.id.value());
        submitters.emplace_back(submitter_at(item.submitter).to_string());
        requests.emplace_back(item.id.value().to_string());
        payloads.emplace_back(encode(sample_intent()));
        gas_params.emplace_back(encode(store::GasParams{attempt.fees, attempt.gas_limit}));
        receipts.emplace_back(encode(receipt));
        confirmations.emplace_back(encode(sample_confirmations()));
        const auto print = fingerprint(sample_intent());
        fingerprints.emplace_back(Bytes(print.begin(), print.end()));
        hashes.emplace_back(Bytes(attempt.hash.data.begin(), attempt.hash.data.end()));
        raws.emplace_back(attempt.raw);
        block_hashes.emplace_back(Bytes(receipt.block_hash.data.begin(), receipt.block_hash.data.end()));
        nonces.emplace_back(static_cast<std::int64_t>(item.nonce.value()));
        block_numbers.emplace_back(static_cast<std::int64_t>(receipt.block_number.value()));
    }
};

// Events for one step of every transaction in the batch.
class Events {
public:
    explicit Events(const Batch& batch) : batch_(batch) {}

    void add(std::int64_t sequence, auto make_body) {
        for (const auto& item : batch_) {
            const TxEventBody body(make_body(item));
            ids_.emplace_back(item.id.value());
            sequences_.emplace_back(sequence);
            kinds_.emplace_back(name_of(body));
            bodies_.emplace_back(encode(body));
        }
    }
    [[nodiscard]] Query query() const {
        return {&insert_events, std::move(Params().add(ids_).add(sequences_).add(kinds_).add(bodies_))};
    }

private:
    const Batch& batch_;
    Column<Uuid> ids_;
    Column<std::int64_t> sequences_;
    Column<std::string> kinds_, bodies_;
};

Query accepted_events(const Batch& batch) {
    Events events(batch);
    events.add(1, [](const Item& item) { return TxAccepted{submitter_at(item.submitter)}; });
    return events.query();
}
Query mined_events(const Batch& batch) {
    Events events(batch);
    events.add(2, [](const Item& item) { return TxSubmitted{attempt_of(item).hash}; });
    events.add(3, [](const Item& item) { return TxReceiptUpdated{receipt_of(item).block_number, true}; });
    return events.query();
}
Query confirmed_events(const Batch& batch) {
    Events events(batch);
    events.add(4, [](const Item& /*item*/) { return TxConfirmed{sample_confirmations(), false}; });
    return events.query();
}

std::vector<Query> accept_queries(const Columns& c) {
    return {
        {&insert_transactions, std::move(Params().add(c.ids).add(c.submitters).add(c.requests).add(c.fingerprints))},
        {&insert_intents, std::move(Params().add(c.ids).add(c.payloads))}};
}
std::vector<Query> allocate_queries(const Columns& c) {
    return {
        {&allocate, std::move(Params().add(c.ids).add(c.nonces).add(c.hashes))},
        {&insert_attempts, std::move(Params().add(c.ids).add(c.nonces).add(c.hashes).add(c.raws).add(c.gas_params))},
        {&assign_nonces, std::move(Params().add(c.submitters).add(c.nonces).add(c.ids))}};
}
std::vector<Query> mine_queries(const Columns& c) {
    return {{&mine, std::move(Params().add(c.ids).add(c.receipts).add(c.block_numbers).add(c.block_hashes))}};
}
std::vector<Query> confirm_queries(const Columns& c) {
    return {{&confirm, std::move(Params().add(c.ids).add(c.confirmations))}};
}

}  // namespace

PlainSqlLoad::PlainSqlLoad(store::pg::Connection& connection, const Clock& clock, Random& random)
    : connection_(connection),
      clock_(clock),
      source_(clock, random) {}

Task<PhaseTimes> PlainSqlLoad::run(std::size_t batch_size, Duration how_long, EventMode event_mode) {
    const auto with = [event_mode](std::vector<Query> queries, Query (*events)(const Batch&), const Batch& batch) {
        if (event_mode == EventMode::events) queries.push_back(events(batch));
        return queries;
    };
    PhaseTimes times;
    while (times.whole() < how_long) {
        const auto batch = source_.next(batch_size);
        const auto begun = clock_.monotonic();
        const Columns columns(batch);
        co_await commit(with(accept_queries(columns), accepted_events, batch));
        const auto accepted = clock_.monotonic();
        co_await commit(allocate_queries(columns));
        const auto signed_at = clock_.monotonic();
        co_await commit(with(mine_queries(columns), mined_events, batch));
        co_await commit(with(confirm_queries(columns), confirmed_events, batch));
        times.accept += accepted - begun;
        times.allocate += signed_at - accepted;
        times.settle += clock_.monotonic() - signed_at;
        times.transactions += batch_size;
        ++times.batches;
    }
    co_return times;
}

Task<void> PlainSqlLoad::commit(std::vector<Query> queries) {
    const auto rows = co_await connection_.run(std::move(queries));
    if (!rows) throw std::runtime_error("the plain SQL failed: " + rows.error().what);
}

}  // namespace fencepost::bench
