// How often something may be done: a bucket of tokens that fills at an even rate. A caller may save some up for a
// burst, and in the long run gets no more than the rate.
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
    /// Full.
    TokenBucket(RateLimit limit, Instant now);

    /// Takes a token. If there is none: how long until there is.
    [[nodiscard]] Status<Duration> take(Instant now);
    /// Takes so many, also where there are fewer: what is missing then must come first before any is given again.
    void charge(std::size_t tokens, Instant now);

    [[nodiscard]] const RateLimit& limit() const { return limit_; }

private:
    RateLimit limit_;
    Duration interval_;  // in which one token comes
    Duration depth_;     // in which a whole bucket but one comes
    Instant full_at_;    // when nothing is missing any more
};

/// A bucket for each of any number of strangers in a fixed amount of memory: those whose names fall together share one.
/// For what is to be slowed down, not for what somebody has a right to.
class SharedBuckets {
public:
    SharedBuckets(RateLimit limit, Instant now);

    [[nodiscard]] Status<Duration> take(std::string_view name, Instant now);

private:
    static constexpr std::size_t count = 1024;

    std::vector<TokenBucket> buckets_;
};

/// For the field Retry-After: whole seconds, rounded up, at least 1.
[[nodiscard]] std::string retry_after(Duration wait);

}  // namespace fencepost::api
