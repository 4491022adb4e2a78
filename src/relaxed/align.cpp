// The reconciler of a shared key: external transactions raise the chain's count, and the stored count follows.
#include <utility>

#include <fmt/format.h>

#include "relaxed/nonce_source.hpp"

namespace fencepost::relaxed {

// A lease that moved to another node is no failure: that node reconciles now.
NonceError NonceSource::complain(NonceError error, std::string_view why) {
    if (error != NonceError::fenced) {
        parts_.alerts.raise(alert_of(AlertKind::reconcile_failure, opening_.submitter,
                                     fmt::format("Reconciliation of a shared key with the chain failed: {}", why)));
    }
    return error;
}

Task<Result<Alignment, NonceError>> NonceSource::align() {
    const auto turn = co_await turns_.take();
    if (over_) co_return err(*over_);
    const auto counts = co_await parts_.chain.counts(opening_.submitter);
    if (!counts) co_return err(complain(NonceError::unavailable, name_of(counts.error().kind)));

    cache_.hear(*counts, parts_.clock.monotonic());
    const auto aligned = co_await parts_.store.align(opening_.submitter, opening_.fence, counts->pending);
    const auto failed = judge(answer_of(aligned), "nonce state of a shared key aligned with the chain");
    if (failed) {
        cache_.drop();
        co_return err(complain(*failed, name_of(*failed)));
    }
    if (aligned->after > aligned->before) {
        parts_.log.write(Severity::info, "Nonce state aligned with the chain, which was ahead",
                         {{"submitter", opening_.submitter.to_string()},
                          {"from", fmt::to_string(aligned->before.value())},
                          {"to", fmt::to_string(aligned->after.value())}});
    }
    if (const auto looked = co_await look_at_reservations(); !looked) co_return err(looked.error());
    co_return *aligned;
}

Task<Status<NonceError>> NonceSource::look_at_reservations() {
    const auto counts = co_await parts_.store.allocations(opening_.submitter);
    if (!counts) co_return err(complain(NonceError::unavailable, name_of(counts.error())));
    if (counts->reserved > options_.reserved_threshold) {
        parts_.alerts.raise(alert_of(AlertKind::reserved_above_threshold, opening_.submitter,
                                     fmt::format("{} nonces are reserved and not sent; {} are allowed",
                                                 counts->reserved, options_.reserved_threshold)));
    }
    co_return Status<NonceError>{};
}

Task<void> NonceSource::keep_aligned() {
    while (!over_) {
        std::ignore = co_await align();
        co_await parts_.clock.sleep_for(options_.reconcile_interval);
    }
}

}  // namespace fencepost::relaxed
