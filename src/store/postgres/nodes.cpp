// The registry of nodes on PostgreSQL, by its clock.
#include "store/node_ability_codec.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Statement;

// Every start of a process is a new node: live nodes delete the rows of crashed ones. Rows that another node is about
// to delete are skipped.
constexpr Statement beat{"node_heartbeat", R"sql(
WITH long_gone AS MATERIALIZED (
    SELECT node_id
    FROM node
    WHERE heartbeat_at < clock_timestamp() - interval '1 hour' AND node_id <> $1
    FOR UPDATE SKIP LOCKED
), forgotten AS (
    DELETE FROM node
    USING long_gone
    WHERE node.node_id = long_gone.node_id
)
INSERT INTO node (node_id, address, started_at, heartbeat_at, ability)
VALUES ($1, $2, clock_timestamp(), clock_timestamp(), $3::jsonb)
ON CONFLICT (node_id) DO UPDATE
SET address = excluded.address, heartbeat_at = excluded.heartbeat_at, ability = excluded.ability
)sql"};

constexpr Statement remove{"node_leave", R"sql(
DELETE FROM node
WHERE node_id = $1
)sql"};

constexpr Statement read_live{"node_live", R"sql(
SELECT node_id, address, started_at, heartbeat_at, ability
FROM node
WHERE heartbeat_at > clock_timestamp() - $1
ORDER BY node_id
)sql"};

}  // namespace

Task<Status<StoreError>> PostgresStore::heartbeat(NodeId node, std::string address, NodeAbility ability) {
    std::vector<Query> queries{{&beat, Params().add(node.value()).add(address).add(encode(ability))}};
    const auto rows = co_await run_on(priority_.get(), std::move(queries));
    if (!rows) co_return err(rows.error());
    co_return Status<StoreError>{};
}

Task<Status<StoreError>> PostgresStore::leave(NodeId node) {
    const auto rows = co_await run(Query{&remove, Params().add(node.value())});
    if (!rows) co_return err(rows.error());
    co_return Status<StoreError>{};
}

Task<Result<std::vector<NodeInfo>, StoreError>> PostgresStore::live(Duration within) {
    const auto rows = co_await run(Query{&read_live, Params().add(within)});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return NodeInfo{NodeId(rows->text(row, 0)), rows->text(row, 1), rows->time(row, 2), rows->time(row, 3),
                        decode_node_ability(rows->text(row, 4))};
    });
}

}  // namespace fencepost::store
