// What a reservation of a shared key's nonce takes, where very many nonces were used before and none is finalized.
#pragma once

#include "ports/clock.hpp"
#include "ports/store/store.hpp"

namespace fencepost::bench {

inline constexpr std::size_t used_before = 1'000'000;

/// The SQL that makes so many used nonces of the submitter that measure_reservations() opens.
[[nodiscard]] std::string used_nonces_sql();

/// The median of several, one after another.
[[nodiscard]] Task<Duration> measure_reservations(Store* store, const Clock* clock);

}  // namespace fencepost::bench
