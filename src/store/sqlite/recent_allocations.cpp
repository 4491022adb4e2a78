// A submitter's recent spending and its backlog on SQLite.
#include "store/recent_allocations.hpp"

#include "store/json_codec.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/engine/sqlite_values.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

void add_variants(Database& database, TxId tx, const Wei& value, RecentAllocations& recent) {
    Query attempt(database, "SELECT created_at, gas_params FROM tx_attempt WHERE tx_id = :tx", tx);
    while (attempt.step()) {
        const auto gas = decode_gas_params(attempt.text(1));
        recent.add(tx, attempt.get<UnixTime>(0), value, gas.gas_limit, gas.fees);
    }
    Query claim(database, "SELECT created_at, kind, nonce, payload FROM tx_claimed_send WHERE tx_id = :tx", tx);
    while (claim.step()) {
        const auto asked = decode_claimed_send(claim.get<AttemptKind>(1), claim.get<Nonce>(2), claim.text(3));
        recent.add(tx, claim.get<UnixTime>(0), value, asked.gas_limit, asked.fees);
    }
}

std::vector<RecentAllocation> read_recent(Database& database, const SubmitterId& submitter, Duration window) {
    const auto now = database.now();
    std::vector<RecentAllocation> recent;
    std::size_t too_old = 0;
    Query row(database, R"sql(
SELECT n.tx_id, i.payload
FROM nonce_assignment n
JOIN tx_intent i ON i.tx_id = n.tx_id
WHERE n.submitter = :submitter
ORDER BY n.nonce DESC
)sql",
              submitter);
    while (too_old < lookback_nonces && row.step()) {
        RecentAllocations one(now, window);
        add_variants(database, row.get<TxId>(0), decode_intent(row.text(1)).value, one);
        too_old = one.are_all_too_old() ? too_old + 1 : 0;
        std::ranges::copy(one.take(), std::back_inserter(recent));
    }
    return recent;
}

std::vector<SubmitterBacklog> read_backlogs(Database& database, const NodeId& owner) {
    std::vector<SubmitterBacklog> backlogs;
    Query row(database, R"sql(
SELECT l.submitter,
       (SELECT count(*)
        FROM (SELECT 1 FROM managed_tx t
              WHERE t.submitter = l.submitter AND NOT t.done AND t.nonce IS NULL
              LIMIT :most)),
       (SELECT count(*)
        FROM submitter_nonce_cursor c
        JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
        JOIN managed_tx t ON t.tx_id = n.tx_id
        WHERE c.submitter = l.submitter AND NOT t.done),
       w.window_size, w.window_limit
FROM submitter_lease l
LEFT JOIN submitter_nonce_cursor w ON w.submitter = l.submitter
WHERE l.owner_node = :owner AND l.expires_at > fencepost_now()
ORDER BY l.submitter
)sql",
              bound(Backlogs::max_counted), owner);
    while (row.step()) {
        backlogs.push_back({row.get<SubmitterId>(0), row.get<std::uint64_t>(1), row.get<std::uint64_t>(2)});
        if (row.is_null(3)) continue;
        backlogs.back().window = {row.get<std::uint32_t>(3), row.get<WindowLimit>(4)};
    }
    return backlogs;
}

}  // namespace

Task<Result<std::vector<RecentAllocation>, StoreError>> SqliteStore::allocated_within(SubmitterId submitter,
                                                                                      Duration window) {
    return engine_->read([submitter = std::move(submitter), window](Database& database) {
        return read_recent(database, submitter, window);
    });
}

Task<Result<std::vector<SubmitterBacklog>, StoreError>> SqliteStore::backlogs(NodeId owner) {
    return engine_->read([owner = std::move(owner)](Database& database) { return read_backlogs(database, owner); });
}

}  // namespace fencepost::store
