// The reconciler of a shared key: external transactions raise the chain's count, and the stored count follows.
#include <utility>

#include <fmt/format.h>

#include "relaxed/nonce_source.hpp"

namespace fencepost::relaxed {

// A lease that moved to another node is no failure: that node reconciles now.
NonceError NonceSource::raise_reconcile_alert(NonceError error, std::string_view why) {
    if (error != NonceError::fenced) {
        dependencies_.alerts.raise(
            alert_of(AlertKind::reconcile_failure, opening_.submitter,
                     fmt::format("Reconciliation of a shared key with the chain failed: {}", why)));
    }
    return error;
}

Task<Result<Alignment, NonceError>> NonceSource::align() {
    const auto turn = co_await semaphore_.take();
    if (closed_with_) co_return err(*closed_with_);
    const auto counts = co_await dependencies_.chain.counts(opening_.submitter);
    if (!counts) co_return err(raise_reconcile_alert(NonceError::unavailable, name_of(counts.error().kind)));

    cache_.update(*counts, dependencies_.clock.monotonic());
    const auto aligned = co_await dependencies_.store.align(opening_.submitter, opening_.fence, counts->pending);
    const auto failed = check_answer(answer_of(aligned), "nonce state of a shared key aligned with the chain");
    if (failed) {
        cache_.drop();
        co_return err(raise_reconcile_alert(*failed, name_of(*failed)));
    }
    if (aligned->after > aligned->before) {
        dependencies_.log.write(Severity::info, "Nonce state aligned with the chain, which was ahead",
                                {{"submitter", opening_.submitter.to_string()},
                                 {"from", fmt::to_string(aligned->before.value())},
                                 {"to", fmt::to_string(aligned->after.value())}});
    }
    if (const auto looked = co_await check_reservations(); !looked) co_return err(looked.error());
    co_return *aligned;
}

Task<Status<NonceError>> NonceSource::check_reservations() {
    const auto counts = co_await dependencies_.store.allocations(opening_.submitter);
    if (!counts) co_return err(raise_reconcile_alert(NonceError::unavailable, name_of(counts.error())));
    if (counts->reserved > options_.reserved_threshold) {
        dependencies_.alerts.raise(alert_of(AlertKind::reserved_above_threshold, opening_.submitter,
                                            fmt::format("{} nonces are reserved and not sent; {} are allowed",
                                                        counts->reserved, options_.reserved_threshold)));
    }
    co_return Status<NonceError>{};
}

Task<void> NonceSource::align_periodically() {
    while (!closed_with_) {
        std::ignore = co_await align();
        co_await dependencies_.clock.sleep_for(options_.reconcile_interval);
    }
}

}  // namespace fencepost::relaxed
