#include "domain/lease.hpp"

namespace fencepost {
namespace {

UnixTime after(UnixTime now, Duration duration) {
    return now + std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

bool is_opening(const std::optional<Lease>& lease, const Fence& fence) {
    return lease && lease->owner == fence.node && lease->token == fence.token;
}

}  // namespace

bool is_expired(const Lease& lease, UnixTime database_now) { return lease.expires_at <= database_now; }

bool holds(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now) {
    return is_opening(lease, fence) && !is_expired(*lease, database_now);
}

LeaseChange open_lease(const std::optional<Lease>& lease, const NodeId& node, UnixTime database_now,
                       Duration duration) {
    const auto expires_at = after(database_now, duration);
    if (!lease) return {LeaseResult::inserted, Lease{node, FenceToken(1), database_now, expires_at}};

    const FenceToken next_token(lease->token.value() + 1);
    if (is_expired(*lease, database_now)) {
        return {LeaseResult::taken_over, Lease{node, next_token, database_now, expires_at}};
    }
    if (lease->owner == node) {
        return {LeaseResult::reopened, Lease{node, next_token, lease->acquired_at, expires_at}};
    }
    return {LeaseResult::not_owner, lease};
}

LeaseChange renew_lease(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now,
                        Duration duration) {
    if (!holds(lease, fence, database_now)) return {LeaseResult::not_owner, lease};
    auto renewed = *lease;
    renewed.expires_at = after(database_now, duration);
    return {LeaseResult::renewed, renewed};
}

std::optional<Lease> release_lease(const std::optional<Lease>& lease, const Fence& fence) {
    if (!is_opening(lease, fence)) return lease;
    auto released = *lease;
    released.expires_at = released_at;
    return released;
}

}  // namespace fencepost
