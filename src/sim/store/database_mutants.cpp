#include "sim/store/database_mutants.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "domain/tx/transition_table.hpp"

namespace fencepost::sim {

bool DatabaseMutants::locks_rows(const DatabaseCall& call) const {
    const bool is_late = call.plan.fault == DatabaseFault::commit_late;
    return !is(DatabaseMutant::no_row_lock) && !(is(DatabaseMutant::late_commit_after_opening) && is_late);
}

UnixTime DatabaseMutants::opening_time(const DatabaseCall& call, const NodeId& node, const std::optional<Lease>& lease,
                                       UnixTime now) const {
    if (is(DatabaseMutant::expiry_by_node_clock)) {
        return now + std::chrono::duration_cast<std::chrono::microseconds>(call.caller->clock_skew());
    }
    if (is(DatabaseMutant::takeover_before_expiry) && lease && lease->owner != node) {
        return std::max(now, lease->expires_at);
    }
    return now;
}

bool DatabaseMutants::keeps_token(const std::optional<Lease>& lease, const NodeId& node, UnixTime now) const {
    return is(DatabaseMutant::token_kept_on_reopening) && lease && lease->owner == node && !is_expired(*lease, now);
}

// A fence that SQLite accepts: that of the recorded lease, which is briefly reopened if it has expired.
Task<Fence> DatabaseMutants::valid_fence(SubmitterId submitter, std::optional<Lease> lease, UnixTime now) {
    if (!is_expired(*lease, now)) co_return Fence{lease->owner, lease->token};
    const auto opened = co_await store_.open(std::move(submitter), lease->owner, std::chrono::microseconds(1));
    FP_ASSERT(opened && opened->fence, "an expired lease cannot be opened");
    co_return *opened->fence;
}

Task<LaneWrite> DatabaseMutants::mutate_write(LaneWrite write, bool late, bool held_at_execution,
                                              std::optional<Lease> lease, UnixTime now) {
    const bool forges = is(DatabaseMutant::no_fence_check) || (is(DatabaseMutant::no_row_lock) && held_at_execution) ||
                        (is(DatabaseMutant::late_commit_after_opening) && late);
    if (forges && lease && !holds(lease, write.fence, now)) {
        write.fence = co_await valid_fence(write.submitter, lease, now);
    }
    if (write.cursor) co_await corrupt_cursor(&write);
    if (is(DatabaseMutant::partial_write) && write.transactions.size() > 1) {
        write.transactions.erase(
            write.transactions.begin() + static_cast<std::ptrdiff_t>(write.transactions.size() / 2),
            write.transactions.end());
    }
    if (is(DatabaseMutant::shared_nonce_allocated_twice)) keep_nonces_available(write);
    for (auto& update : write.transactions) {
        if (is(DatabaseMutant::state_not_compared)) co_await skip_comparison(&update);
        corrupt_update(update);
    }
    co_return write;
}

Task<void> DatabaseMutants::corrupt_cursor(LaneWrite* write) {
    if (is(DatabaseMutant::cursor_without_compare)) {
        const auto view = co_await store_.submitter(write->submitter);
        if (view && view->next_nonce) write->cursor->expected = view->next_nonce;
    }
    if (is(DatabaseMutant::cursor_skips_one) && random_.one_in(40)) write->cursor->next = write->cursor->next.next();
}

Task<Fence> DatabaseMutants::fence_outside_lane(LeaseClaim claim, std::optional<Lease> lease, UnixTime now) {
    const bool forges = is(DatabaseMutant::no_fence_check) || is(DatabaseMutant::shared_reservation_unfenced);
    if (!forges || !lease || holds(lease, claim.fence, now)) co_return claim.fence;
    co_return co_await valid_fence(claim.submitter, lease, now);
}

std::vector<LeaseClaim> DatabaseMutants::mutate_release(std::vector<LeaseClaim> claims,
                                                        const std::vector<std::optional<Lease>>& leases) const {
    for (std::size_t i = 0; is(DatabaseMutant::release_without_compare) && i < claims.size(); ++i) {
        if (leases[i]) claims[i].fence = {leases[i]->owner, leases[i]->token};
    }
    return claims;
}

// A move outside the table would trip the store's own check.
Task<void> DatabaseMutants::skip_comparison(TxUpdate* update) {
    const auto view = co_await store_.by_id(update->tx);
    if (!view || !*view) co_return;
    const auto stands = (*view)->position;
    if (stands == update->to || is_allowed_move(stands, update->to)) update->expected = stands;
}

// The ledger of nonces then also accepts another transaction at that nonce.
void DatabaseMutants::keep_nonces_available(LaneWrite& write) {
    for (const auto& update : write.transactions) {
        if (!update.nonce) continue;
        std::erase_if(write.nonce_marks, [&](const NonceMark& mark) { return mark.nonce == *update.nonce; });
        write.nonce_marks.push_back(
            {.nonce = *update.nonce, .status = AllocationStatus::recyclable, .hash = std::nullopt, .reason = {}});
    }
}

void DatabaseMutants::corrupt_update(TxUpdate& update) {
    auto& events = update.events;
    if (is(DatabaseMutant::events_dropped) && !events.empty() && random_.one_in(4)) events.pop_back();
    if (is(DatabaseMutant::event_written_twice) && !events.empty() && random_.one_in(4)) {
        events.push_back(TxEventBody(events.back()));
    }
    if (is(DatabaseMutant::rollback_not_stored) && std::holds_alternative<RollBackReceipt>(update.receipt)) {
        update.receipt = std::monostate{};
    }
}

NewIntent DatabaseMutants::mutate_accept(NewIntent intent) const {
    if (is(DatabaseMutant::request_id_not_unique)) intent.request.reset();
    return intent;
}

StoreError DatabaseMutants::mutate_error(StoreError error) const {
    return is(DatabaseMutant::unknown_outcome_reported_failed) ? StoreError::unavailable : error;
}

}  // namespace fencepost::sim
