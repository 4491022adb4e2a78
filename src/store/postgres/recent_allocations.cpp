// A submitter's recent spending and its backlog on PostgreSQL.
#include "store/recent_allocations.hpp"

#include <limits>

#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

// A page of nonces, highest first. The value comes from the intent, gas and fees from each attempt; a claim's payload
// has the same form as an intent's.
constexpr Statement read_recent_attempts{"recent_attempts", R"sql(
SELECT n.nonce, n.tx_id, i.payload->>'value', a.gas_params, a.created_at, clock_timestamp()
FROM (
    SELECT nonce, tx_id FROM nonce_assignment WHERE submitter = $1 AND nonce < $2 ORDER BY nonce DESC LIMIT $3
) n
JOIN tx_intent i ON i.tx_id = n.tx_id
JOIN tx_attempt a ON a.tx_id = n.tx_id
)sql"};

constexpr Statement read_recent_claims{"recent_claims", R"sql(
SELECT n.nonce, n.tx_id, i.payload->>'value', c.kind, c.payload, c.created_at, clock_timestamp()
FROM (
    SELECT nonce, tx_id FROM nonce_assignment WHERE submitter = $1 AND nonce < $2 ORDER BY nonce DESC LIMIT $3
) n
JOIN tx_intent i ON i.tx_id = n.tx_id
JOIN tx_claimed_send c ON c.tx_id = n.tx_id
)sql"};

// One walk over unfinished transactions, as far as they are counted; those with a nonce were accepted before those that
// wait for one.
constexpr Statement count_backlogs{"backlogs", R"sql(
SELECT l.submitter, b.queued, b.pending, c.window_size, c.window_limit
FROM submitter_lease l
LEFT JOIN submitter_nonce_cursor c ON c.submitter = l.submitter
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE u.nonce IS NULL) AS queued, count(*) FILTER (WHERE u.nonce IS NOT NULL) AS pending
    FROM (
        SELECT t.nonce
        FROM managed_tx t
        WHERE t.submitter = l.submitter AND NOT t.done
        ORDER BY t.accept_sequence
        LIMIT $2
    ) u
) b
WHERE l.owner_node = $1 AND l.expires_at > clock_timestamp()
ORDER BY l.submitter
)sql"};

Wei wei_at(const Rows& rows, std::size_t row, std::size_t column) {
    return Wei(Uint256::parse(rows.text(row, column)).value());
}

/// The content of a page; its lowest nonce is where the next begins.
struct Page {
    std::vector<RecentAllocation> recent;
    std::optional<Nonce> lowest{};
};

Page page_of(const Rows& attempts, const Rows& claims, Duration window) {
    Page page;
    if (attempts.size() == 0 && claims.size() == 0) return page;
    const auto now = attempts.size() > 0 ? attempts.time(0, 5) : claims.time(0, 6);
    RecentAllocations found(now, window);
    const auto see = [&](Nonce nonce) { page.lowest = std::min(page.lowest.value_or(nonce), nonce); };
    for (std::size_t row = 0; row < attempts.size(); ++row) {
        const auto gas = decode_gas_params(attempts.text(row, 3));
        see(nonce_at(attempts, row, 0));
        found.add(TxId(attempts.uuid(row, 1)), attempts.time(row, 4), wei_at(attempts, row, 2), gas.gas_limit,
                  gas.fees);
    }
    for (std::size_t row = 0; row < claims.size(); ++row) {
        const auto claim = decode_claimed_send(value_of<AttemptKind>(claims.text(row, 3)).value(),
                                               nonce_at(claims, row, 0), claims.text(row, 4));
        see(claim.nonce);
        found.add(TxId(claims.uuid(row, 1)), claims.time(row, 5), wei_at(claims, row, 2), claim.gas_limit, claim.fees);
    }
    page.recent = found.take();
    return page;
}

}  // namespace

Task<Result<std::vector<RecentAllocation>, StoreError>> PostgresStore::allocated_within(SubmitterId submitter,
                                                                                        Duration window) {
    std::vector<RecentAllocation> recent;
    auto below = std::numeric_limits<std::int64_t>::max();
    while (true) {
        const auto params =
            Params().add(submitter.to_string()).add(below).add(static_cast<std::int64_t>(lookback_nonces));
        const auto rows =
            co_await run(std::vector<Query>{{&read_recent_attempts, params}, {&read_recent_claims, params}});
        if (!rows) co_return err(rows.error());
        auto page = page_of(rows->at(0), rows->at(1), window);
        if (page.recent.empty()) co_return recent;
        below = static_cast<std::int64_t>(page.lowest->value());
        std::ranges::move(page.recent, std::back_inserter(recent));
    }
}

Task<Result<std::vector<SubmitterBacklog>, StoreError>> PostgresStore::backlogs(NodeId owner) {
    const auto rows =
        co_await run(Query{&count_backlogs, Params().add(owner.value()).add(static_cast<std::int64_t>(max_counted))});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return SubmitterBacklog{SubmitterId::parse(rows->text(row, 0)).value(), unsigned_at(*rows, row, 1),
                                unsigned_at(*rows, row, 2), window_at(*rows, row, 3)};
    });
}

}  // namespace fencepost::store
