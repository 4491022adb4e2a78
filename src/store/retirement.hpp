// Relaxed mode's rows that nobody needs any more. Below the lane's low-water mark every nonce is consumed by a
// transaction that is finalized, whoever sent it: no fork brings one back, and none is given out again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "domain/ids.hpp"

namespace fencepost::store {

/// One write deletes at most so many: it holds the submitter's lease row, and statements have a time-out.
inline constexpr std::uint64_t retired_at_once = 1'000;

/// What a choice of nonce rests on in the database.
struct NonceRecord {
    /// Above all that was ever given out: by reservations, and by the lane's cursor while the key was ours alone.
    Nonce next{};
    /// The lane's low-water mark; 0 where there is no lane yet.
    Nonce watch_from{};
    /// Used rows below were deleted. What is below and has no row is done with.
    Nonce retired_below{};
    /// The lowest row that is not below `retired_below`.
    std::optional<Nonce> oldest{};
};

/// How far the next write may delete.
[[nodiscard]] inline Nonce next_retired_below(const NonceRecord& record) {
    const auto reach = record.oldest ? Nonce(record.oldest->value() + retired_at_once) : record.watch_from;
    return std::max(record.retired_below, std::min(record.watch_from, reach));
}

}  // namespace fencepost::store
