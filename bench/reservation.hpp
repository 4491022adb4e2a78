// The time to reserve a nonce of a shared key after very many nonces were used and none is finalized.
#pragma once

#include "ports/clock.hpp"
#include "ports/store/store.hpp"

namespace fencepost::bench {

inline constexpr std::size_t used_before = 1'000'000;

/// SQL that inserts this many used nonces for the submitter that measure_reservations() opens.
[[nodiscard]] std::string used_nonces_sql();

/// The median of several reservations in sequence.
[[nodiscard]] Task<Duration> measure_reservations(Store* store, const Clock* clock);

}  // namespace fencepost::bench
