// Quarantine, back-off and latency of one endpoint.
#include "evm/endpoints/endpoint_health.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace fencepost::evm {
namespace {

using Kind = jsonrpc::Failure::Kind;

constexpr int latency_weight = 8;      // one sample counts for an eighth
constexpr std::size_t doublings = 16;  // beyond this, every maximum is reached

Duration doubled(Duration first, std::size_t times, Duration at_most) {
    return std::min(at_most, first * (std::int64_t{1} << std::min(times, doublings)));
}

bool counts_against_it(Kind kind) {
    switch (kind) {
        case Kind::unreachable:
        case Kind::timed_out:
        case Kind::http_error:
        case Kind::malformed:
            return true;
        case Kind::rate_limited:
        case Kind::overloaded:
        case Kind::no_evidence:
            return false;
    }
    FP_UNREACHABLE();
}

}  // namespace

Service EndpointHealth::service(Instant now) const {
    if (quarantined_until_) {
        if (now < *quarantined_until_) return Service::quarantined;
        if (probing_) return Service::probing;
    }
    if (backing_off_until_ && now < *backing_off_until_) return Service::backing_off;
    return Service::in_service;
}

Instant EndpointHealth::available_at(Instant now) const {
    return std::max({now, quarantined_until_.value_or(now), backing_off_until_.value_or(now)});
}

void EndpointHealth::began(Instant now) {
    if (quarantined_until_ && now >= *quarantined_until_) probing_ = true;
}

void EndpointHealth::answered(std::optional<Duration> latency) {
    probing_ = false;
    failures_ = 0;
    quarantines_ = 0;
    back_offs_ = 0;
    quarantined_until_.reset();
    if (latency) latency_ = latency_ ? *latency_ + (*latency - *latency_) / latency_weight : *latency;
}

void EndpointHealth::failed(Instant now, const jsonrpc::Failure& failure) {
    if (failure.kind == Kind::rate_limited) {
        // The endpoint responds: the probe, if this was one, has succeeded.
        quarantined_until_.reset();
        back_off(now, failure.retry_after);
    } else if (counts_against_it(failure.kind)) {
        ++failures_;
        if (probing_ || failures_ >= options_.failures_to_quarantine) quarantine(now);
    }
    probing_ = false;
}

void EndpointHealth::was_rate_limited(Instant now) {
    // As for HTTP 429: the endpoint responds, so a probe has succeeded.
    quarantined_until_.reset();
    probing_ = false;
    back_off(now, std::nullopt);
}

void EndpointHealth::abandoned() { probing_ = false; }

void EndpointHealth::back_off(Instant now, std::optional<Duration> asked_for) {
    // Concurrent calls get the same rate-limit answer; back off once for all of them.
    const bool already = backing_off_until_ && now < *backing_off_until_;
    const auto wait = asked_for ? std::min(*asked_for, options_.max_back_off)
                                : doubled(options_.back_off, back_offs_, options_.max_back_off);
    if (already && !asked_for) return;
    if (!already) ++back_offs_;
    backing_off_until_ = std::max(backing_off_until_.value_or(now), now + wait);
}

void EndpointHealth::quarantine(Instant now) {
    if (quarantined_until_ && now < *quarantined_until_) return;
    quarantined_until_ = now + doubled(options_.quarantine, quarantines_++, options_.max_quarantine);
}

}  // namespace fencepost::evm
