// Acceptance on SQLite: one commit for a whole batch. Each intent is decided on its own, in batch order.
#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/event_rows.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

// The unique indexes (tx_id; submitter and request_id) decide inside the insert whether the intent is new, and the same
// statement reads the status: neither a second accept nor a PROTECT can come between (failure 24).
bool insert_if_new_and_active(Database& database, const NewIntent& asked, const Fingerprint& print, UnixTime now) {
    const auto inserted = database.run(R"sql(
INSERT INTO managed_tx (tx_id, submitter, request_id, fingerprint, next_event, created_at, updated_at)
SELECT :tx, :submitter, :request, :fingerprint, 2, :now, :now
WHERE NOT EXISTS (
    SELECT *
    FROM submitter_status
    WHERE submitter = :submitter AND status <> 'ACTIVE'
)
ON CONFLICT DO NOTHING
)sql",
                                       asked.id, asked.submitter, asked.request, print, now);
    return inserted == 1;
}

// A request is identified by its request id, and also by the transaction id that it carries.
std::optional<AcceptAnswer> original(Database& database, const NewIntent& asked, const Fingerprint& print) {
    Query row(database, R"sql(
SELECT tx_id, submitter = :submitter AND fingerprint = :fingerprint
FROM managed_tx
WHERE tx_id = :tx OR (submitter = :submitter AND request_id = :request)
ORDER BY tx_id = :tx DESC
LIMIT 1
)sql",
              asked.submitter, print, asked.id, asked.request);
    if (!row.step()) return std::nullopt;
    return AcceptAnswer{row.get<bool>(1) ? AcceptKind::same_again : AcceptKind::other_body, row.get<TxId>(0), ""};
}

AcceptAnswer refusal(Database& database, const NewIntent& asked) {
    Query row(database, "SELECT status, reason FROM submitter_status WHERE submitter = :submitter", asked.submitter);
    FP_ASSERT(row.step(), "an intent was neither new, nor known, nor refused");
    const bool paused = row.get<SubmitterStatus>(0) == SubmitterStatus::paused;
    return {paused ? AcceptKind::submitter_paused : AcceptKind::submitter_protected, asked.id, row.get<std::string>(1)};
}

AcceptAnswer accept_one(Database& database, const NewIntent& asked) {
    if (auto wrong = storability_error(asked); !wrong.empty()) {
        return {AcceptKind::invalid, asked.id, std::move(wrong)};
    }
    const auto print = fingerprint(asked.intent);
    const auto now = database.now();
    if (insert_if_new_and_active(database, asked, print, now)) {
        database.run("INSERT INTO tx_intent (tx_id, payload) VALUES (:tx, :payload)", asked.id, encode(asked.intent));
        append_event(database, {asked.id, EventSequence(1), TxAccepted{asked.submitter}}, std::nullopt);
        return {AcceptKind::accepted, asked.id, "", now};
    }
    const auto known = original(database, asked, print);
    return known ? *known : refusal(database, asked);
}

}  // namespace

Task<Result<std::vector<AcceptAnswer>, StoreError>> SqliteStore::accept(std::vector<NewIntent> batch) {
    return engine_->write([batch = std::move(batch)](Database& database) {
        std::vector<AcceptAnswer> answers;
        for (const auto& asked : batch)
            answers.push_back(accept_one(database, asked));
        return answers;
    });
}

}  // namespace fencepost::store
