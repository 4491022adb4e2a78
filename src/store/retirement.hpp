// Deletes rows of relaxed mode that are no longer needed. Below the lane's low-water mark every nonce is consumed by a
// finalized transaction, from any sender: no fork brings one back, and none is allocated again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "domain/ids.hpp"

namespace fencepost::store {

/// Maximum number of rows deleted per write: it holds the submitter's lease row, and statements have a timeout.
inline constexpr std::uint64_t max_retired_per_write = 1'000;

/// The database state that a choice of nonce depends on.
struct NonceRecord {
    /// Above every nonce ever allocated: by reservations, and by the lane's cursor while the key was exclusive.
    Nonce next{};
    /// The lane's low-water mark; 0 where there is no lane yet.
    Nonce watch_from{};
    /// Used rows below this were deleted: a nonce below it without a row is retired.
    Nonce retired_below{};
    /// The lowest row that is not below `retired_below`.
    std::optional<Nonce> oldest{};
};

/// How far the next write may delete.
[[nodiscard]] inline Nonce next_retired_below(const NonceRecord& record) {
    const auto reach = record.oldest ? Nonce(record.oldest->value() + max_retired_per_write) : record.watch_from;
    return std::max(record.retired_below, std::min(record.watch_from, reach));
}

}  // namespace fencepost::store
