// Leases on SQLite: the rules of domain/lease.hpp, applied by the exclusive writer, by the database's time.
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/lease_rows.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

OpenAnswer open_lane(Database& database, const SubmitterId& submitter, const NodeId& node, Duration duration) {
    const auto now = database.now();
    const auto change = open_lease(find_lease(database, submitter), node, now, duration);
    if (change.result == LeaseResult::not_owner) return {change.result, std::nullopt};
    put_lease(database, submitter, *change.lease, now);
    return {change.result, Fence{node, change.lease->token}};
}

LeaseResult renew_one(Database& database, const LeaseClaim& claim, Duration duration) {
    const auto now = database.now();
    const auto change = renew_lease(find_lease(database, claim.submitter), claim.fence, now, duration);
    if (change.result == LeaseResult::renewed) put_lease(database, claim.submitter, *change.lease, now);
    return change.result;
}

void release_one(Database& database, const LeaseClaim& claim) {
    const auto lease = find_lease(database, claim.submitter);
    const auto released = release_lease(lease, claim.fence);
    if (released != lease) put_lease(database, claim.submitter, *released, database.now());
}

}  // namespace

Task<Result<OpenAnswer, StoreError>> SqliteStore::open(SubmitterId submitter, NodeId node, Duration duration) {
    return engine_->write([submitter = std::move(submitter), node = std::move(node), duration](Database& database) {
        return open_lane(database, submitter, node, duration);
    });
}

Task<Result<std::vector<LeaseResult>, StoreError>> SqliteStore::renew(std::vector<LeaseClaim> claims,
                                                                      Duration duration) {
    return engine_->write([claims = std::move(claims), duration](Database& database) {
        std::vector<LeaseResult> results;
        for (const auto& claim : claims)
            results.push_back(renew_one(database, claim, duration));
        return results;
    });
}

Task<Status<StoreError>> SqliteStore::release(std::vector<LeaseClaim> claims) {
    return engine_->write([claims = std::move(claims)](Database& database) {
        for (const auto& claim : claims)
            release_one(database, claim);
    });
}

Task<Result<std::optional<Lease>, StoreError>> SqliteStore::lease(SubmitterId submitter) {
    return engine_->read(
        [submitter = std::move(submitter)](Database& database) { return find_lease(database, submitter); });
}

}  // namespace fencepost::store
