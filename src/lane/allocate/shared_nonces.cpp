#include "lane/allocate/shared_nonces.hpp"

#include "base/assert.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {
namespace {

using relaxed::NonceError;

// The lane's own commit holds the lease row briefly.
constexpr Duration busy_nonce_pause = std::chrono::milliseconds(20);
constexpr int tries_while_busy = 5;

NonceMark used(Nonce nonce, const TxHash& by) {
    return {.nonce = nonce, .status = AllocationStatus::used, .hash = by, .reason = {}};
}

NonceMark in_flight(Nonce nonce, const TxHash& hash) {
    return {.nonce = nonce, .status = AllocationStatus::reserved, .hash = hash, .reason = {}};
}

NonceMark lost(Nonce nonce) {
    return {.nonce = nonce,
            .status = AllocationStatus::used,
            .hash = std::nullopt,
            .reason = "used by an external transaction"};
}

// The nonce mark for this edit, if any. `before` is the transaction as recorded.
std::optional<NonceMark> mark_for(const Edit& edit, const Transaction* before) {
    const auto nonce = *edit.next.nonce;
    const auto& update = edit.update;
    const bool was_final = is_final(update.expected.state);
    if (std::holds_alternative<Receipt>(update.receipt) && was_final) return used(nonce, edit.next.receipt->hash);
    if (std::holds_alternative<RollBackReceipt>(update.receipt) && was_final) {
        FP_ASSERT(before != nullptr && before->receipt, "a receipt that was not there is rolled back");
        return in_flight(nonce, before->receipt->hash);
    }
    if (is_final(update.to.state) && !was_final) {
        return edit.next.receipt ? used(nonce, edit.next.receipt->hash) : lost(nonce);
    }
    if (!update.attempts.empty()) return in_flight(nonce, update.attempts.back().hash);
    // The connector determines the hash. Any hash keeps the reservation from timing out.
    if (!update.claims.empty()) return in_flight(nonce, TxHash{});
    return std::nullopt;
}

}  // namespace

SharedNonces::SharedNonces(const Executor& executor, const SubmitterId& submitter, const Fence& opening,
                           const relaxed::RelaxedOptions& options, const LaneDependencies& world, Chain& chain)
    : clock_(world.clock),
      source_(executor, LeaseClaim{submitter, opening},
              {.store = world.shared_keys->nonces,
               .chain = chain,
               .clock = world.clock,
               .telemetry = world.telemetry,
               .log = world.log,
               .alerts = world.shared_keys->alerts},
              options) {}

Task<Result<Nonce, NoNonce>> SharedNonces::take(Nonce next) {
    for (int tries = 1; true; ++tries) {
        const auto nonce = co_await source_.reserve(lane_owner, next);
        if (nonce) co_return *nonce;
        if (nonce.error() != NonceError::unavailable) co_return err(NoNonce::never);
        if (tries == tries_while_busy) co_return err(NoNonce::not_now);
        co_await clock_.sleep_for(busy_nonce_pause);
    }
}

// Below the watched range every nonce is consumed.
void SharedNonces::put_back(Nonce nonce, const LaneMemory& memory, Turn& turn) const {
    const bool is_consumed = nonce < memory.watch_from;
    turn.mark_nonce(is_consumed ? lost(nonce)
                                : NonceMark{.nonce = nonce,
                                            .status = AllocationStatus::recyclable,
                                            .hash = std::nullopt,
                                            .reason = "not needed"});
}

void SharedNonces::follow(const LaneMemory& memory, Turn& turn) const {
    for (const auto& [id, edit] : turn.edits()) {
        if (!edit.next.nonce || turn.recycles(*edit.next.nonce)) continue;
        const auto tracked = memory.tracked.find(*edit.next.nonce);
        const auto* before = tracked == memory.tracked.end() ? nullptr : &tracked->second.tx;
        if (auto mark = mark_for(edit, before)) turn.mark_nonce(std::move(*mark));
    }
}

Task<Result<bool, NoNonce>> SharedNonces::align() {
    const auto aligned = co_await source_.align();
    if (aligned) co_return true;
    if (aligned.error() != NonceError::unavailable) co_return err(NoNonce::never);
    co_return false;
}

}  // namespace fencepost::lane
