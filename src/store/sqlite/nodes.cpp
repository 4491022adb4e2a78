// Node heartbeats on SQLite. One file serves one node, but a restarted process is a new node, and its predecessor must
// not look alive.
#include "store/node_ability_codec.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

void beat(Database& database, const NodeId& node, const std::string& address, const NodeAbility& ability) {
    database.run(R"sql(
INSERT INTO node (node_id, address, started_at, heartbeat_at, ability)
VALUES (:node, :address, :now, :now, :ability)
ON CONFLICT (node_id) DO UPDATE
SET address = excluded.address, heartbeat_at = excluded.heartbeat_at, ability = excluded.ability
)sql",
                 node, address, database.now(), encode(ability));
    // Every start of a process is a new node: live nodes delete the rows of crashed ones.
    database.run("DELETE FROM node WHERE heartbeat_at < :long_gone", database.now() - std::chrono::hours(1));
}

std::vector<NodeInfo> live_nodes(Database& database, Duration within) {
    std::vector<NodeInfo> nodes;
    const auto oldest = database.now() - std::chrono::floor<std::chrono::microseconds>(within);
    Query row(database, R"sql(
SELECT node_id, address, started_at, heartbeat_at, ability
FROM node
WHERE heartbeat_at >= :oldest
ORDER BY node_id
)sql",
              oldest);
    while (row.step()) {
        nodes.push_back({row.get<NodeId>(0), row.get<std::string>(1), row.get<UnixTime>(2), row.get<UnixTime>(3),
                         decode_node_ability(row.get<std::string>(4))});
    }
    return nodes;
}

}  // namespace

Task<Status<StoreError>> SqliteStore::heartbeat(NodeId node, std::string address, NodeAbility ability) {
    return engine_->write([node = std::move(node), address = std::move(address), ability = std::move(ability)](
                              Database& database) { beat(database, node, address, ability); });
}

Task<Status<StoreError>> SqliteStore::leave(NodeId node) {
    return engine_->write(
        [node = std::move(node)](Database& database) { database.run("DELETE FROM node WHERE node_id = :node", node); });
}

Task<Result<std::vector<NodeInfo>, StoreError>> SqliteStore::live(Duration within) {
    return engine_->read([within](Database& database) { return live_nodes(database, within); });
}

}  // namespace fencepost::store
