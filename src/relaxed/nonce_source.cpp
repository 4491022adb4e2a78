#include "relaxed/nonce_source.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "ports/critical_write.hpp"

namespace fencepost::relaxed {

NonceSource::NonceSource(const Executor& executor, LeaseClaim opening, RelaxedDependencies dependencies,
                         RelaxedOptions options)
    : opening_(std::move(opening)),
      dependencies_(dependencies),
      options_(options),
      semaphore_(executor, 1) {}

std::optional<NonceError> NonceSource::check_answer(const Result<WriteAnswer, StoreError>& answer,
                                                    std::string_view what) {
    if (!answer) {
        if (answer.error() == StoreError::unavailable) return NonceError::unavailable;
        return closed_with_ = NonceError::unknown_outcome;
    }
    switch (*answer) {
        case WriteAnswer::applied:
            log_critical_write(dependencies_.log, Severity::debug, opening_, std::nullopt, what);
            return std::nullopt;
        case WriteAnswer::busy:
            return NonceError::unavailable;
        case WriteAnswer::conflict:
            return NonceError::not_owner_of_nonce;
        case WriteAnswer::fenced:
            return closed_with_ = NonceError::fenced;
    }
    FP_UNREACHABLE();
}

Task<bool> NonceSource::query_chain() {
    const auto counts = co_await dependencies_.chain.counts(opening_.submitter);
    if (counts) {
        cache_.update(*counts, dependencies_.clock.monotonic());
        co_return true;
    }
    dependencies_.log.write(Severity::warning, "Chain not reachable; nonces continue from local state",
                            {{"submitter", opening_.submitter.to_string()},
                             {"why", std::string(name_of(counts.error().kind))},
                             {"what", counts.error().what}});
    dependencies_.alerts.raise(
        alert_of(AlertKind::chain_unreachable, opening_.submitter,
                 "Nonces of a shared key are allocated without querying the chain: no endpoint answered"));
    co_return false;
}

// Raising the count to 0 changes nothing, and returns the current count under the fence.
Task<bool> NonceSource::load_local_state() {
    if (!cache_.empty()) co_return true;
    const auto standing = co_await dependencies_.store.align(opening_.submitter, opening_.fence, Nonce(0));
    const auto failed = check_answer(answer_of(standing), "nonce state of a shared key read");
    co_return !failed && standing->before > Nonce(0);
}

Task<Result<Nonce, NonceError>> NonceSource::reserve(LockOwner owner, Nonce at_least) {
    const auto turn = co_await semaphore_.take();
    if (closed_with_) co_return err(*closed_with_);
    if (cache_.fresh(dependencies_.clock.monotonic(), options_.nonce_state_timeout)) {
        co_return co_await take(std::move(owner), at_least, "cache");
    }
    if (co_await query_chain()) co_return co_await take(std::move(owner), at_least, "chain");
    // A key that is unknown to the chain and to us may have any history: 0 would be a guess.
    if (!co_await load_local_state()) co_return err(closed_with_.value_or(NonceError::unavailable));
    co_return co_await take(std::move(owner), at_least, "local");
}

Task<Result<Nonce, NonceError>> NonceSource::take(LockOwner owner, Nonce at_least, std::string_view source) {
    auto bounds = cache_.bounds();
    bounds.next = std::max(bounds.next, at_least);
    const auto reservation = co_await dependencies_.store.reserve(opening_.submitter, opening_.fence, std::move(owner),
                                                                  bounds, options_.reserved_timeout);
    const auto failed = check_answer(answer_of(reservation), "nonce of a shared key reserved");
    if (failed) {
        cache_.drop();
        co_return err(*failed);
    }
    const auto nonce = reservation->nonce.value();
    cache_.record_allocated(nonce);
    dependencies_.telemetry.count(Counter::nonce_reserved, source);
    co_return nonce;
}

Task<Status<NonceError>> NonceSource::follow(LockOwner owner, Nonce nonce, TxHash hash, Progress progress) {
    if (progress == Progress::mined) co_return Status<NonceError>{};
    if (closed_with_) co_return err(*closed_with_);
    const bool final = progress == Progress::final;
    const auto answer = final ? co_await dependencies_.store.mark_used(opening_.submitter, opening_.fence,
                                                                       std::move(owner), nonce, hash)
                              : co_await dependencies_.store.mark_in_flight(opening_.submitter, opening_.fence,
                                                                            std::move(owner), nonce, hash);
    const auto* what = final ? "nonce of a shared key used" : "nonce of a shared key in flight";
    if (const auto failed = check_answer(answer, what)) co_return err(*failed);
    if (final) dependencies_.telemetry.count(Counter::nonce_used, opening_.submitter.to_string());
    co_return Status<NonceError>{};
}

Task<Status<NonceError>> NonceSource::give_back(LockOwner owner, Nonce nonce, std::string why) {
    if (closed_with_) co_return err(*closed_with_);
    const auto answer = co_await dependencies_.store.mark_recyclable(opening_.submitter, opening_.fence,
                                                                     std::move(owner), nonce, std::move(why));
    if (const auto failed = check_answer(answer, "nonce of a shared key released")) co_return err(*failed);
    dependencies_.telemetry.count(Counter::nonce_recycled, opening_.submitter.to_string());
    co_return Status<NonceError>{};
}

}  // namespace fencepost::relaxed
