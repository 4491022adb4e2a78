// Rate limits: a token bucket that fills at an even rate. A caller may save tokens for a burst, but on average gets no
// more than the rate.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace fencepost::api {

struct RateLimit {
    double per_second = 100;
    double burst = 200;  // at least 1

    friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

class TokenBucket {
public:
    /// Starts full.
    TokenBucket(RateLimit limit, Instant now);

    /// Takes a token. If the bucket is empty, returns the time until the next token.
    [[nodiscard]] Status<Duration> take(Instant now);
    /// Takes `tokens`, even if the bucket holds fewer: it goes into debt, which is paid before the next token is given.
    void charge(std::size_t tokens, Instant now);

    [[nodiscard]] const RateLimit& limit() const { return limit_; }

private:
    RateLimit limit_;
    Duration interval_;  // the time for one token
    Duration depth_;     // the time for a full bucket, less one token
    Instant full_at_;    // when the bucket will be full
};

/// Token buckets for any number of unauthenticated names in constant memory: names with the same hash share a bucket.
/// Use it to slow callers down, not where a caller is entitled to its rate.
class SharedBuckets {
public:
    SharedBuckets(RateLimit limit, Instant now);

    [[nodiscard]] Status<Duration> take(std::string_view name, Instant now);

private:
    static constexpr std::size_t count = 1024;

    std::vector<TokenBucket> buckets_;
};

/// The value of the header Retry-After: whole seconds, rounded up, at least 1.
[[nodiscard]] std::string retry_after(Duration wait);

}  // namespace fencepost::api
