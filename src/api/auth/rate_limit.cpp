#include "api/auth/rate_limit.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/crypto/stable_hash.hpp"

namespace fencepost::api {
namespace {

Duration rounded_up(double seconds) { return std::chrono::ceil<Duration>(std::chrono::duration<double>(seconds)); }

}  // namespace

// The bucket stores the time at which it will be full, in whole nanoseconds, so that the announced wait is always long
// enough; fractions of tokens would not guarantee that (generic cell rate algorithm, ITU-T I.371).
TokenBucket::TokenBucket(RateLimit limit, Instant now)
    : limit_(limit),
      interval_(rounded_up(1 / limit.per_second)),
      depth_(rounded_up((limit.burst - 1) / limit.per_second)),
      full_at_(now) {
    FP_ASSERT(limit.per_second > 0 && limit.burst >= 1);
}

Status<Duration> TokenBucket::take(Instant now) {
    const auto missing = std::max(full_at_ - now, Duration::zero());
    if (missing > depth_) return err(missing - depth_);
    full_at_ = now + missing + interval_;
    return {};
}

void TokenBucket::charge(std::size_t tokens, Instant now) {
    full_at_ = std::max(full_at_, now) + interval_ * static_cast<std::int64_t>(tokens);
}

SharedBuckets::SharedBuckets(RateLimit limit, Instant now) : buckets_(count, TokenBucket(limit, now)) {}

Status<Duration> SharedBuckets::take(std::string_view name, Instant now) {
    return buckets_[stable_hash(name) % count].take(now);
}

std::string retry_after(Duration wait) {
    return std::to_string(std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(wait).count()));
}

}  // namespace fencepost::api
