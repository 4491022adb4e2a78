#include "reservation.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "lifecycle_load.hpp"

namespace fencepost::bench {
namespace {

constexpr std::size_t measured = 101;

}  // namespace

std::string used_nonces_sql() {
    return fmt::format(R"sql(
INSERT INTO submitter_nonce_allocation (submitter, nonce, status, lock_owner, locked_until, tx_hash, fencing_token)
SELECT '{}', n, 'USED', 'lane', clock_timestamp(), decode(md5(n::text) || md5(n::text), 'hex'), 1
FROM generate_series(0, {}) n)sql",
                       submitter_at(0).to_string(), used_before - 1);
}

Task<Duration> measure_reservations(Store* store, const Clock* clock) {
    const auto& submitter = submitter_at(0);
    const auto opened = co_await store->open(submitter, NodeId("bench"), std::chrono::minutes(10));
    if (!opened || !opened->fence) throw std::runtime_error("a lane could not be opened");
    const Nonce chain(used_before);
    std::vector<Duration> times;
    for (std::size_t i = 0; i < measured; ++i) {
        const auto begun = clock->monotonic();
        const auto reserved =
            co_await store->reserve(submitter, *opened->fence, lane_owner, {chain, chain}, std::chrono::hours(1));
        times.push_back(clock->monotonic() - begun);
        if (!reserved || !reserved->nonce) throw std::runtime_error("a nonce was not reserved");
    }
    std::ranges::sort(times);
    co_return times.at(times.size() / 2);
}

}  // namespace fencepost::bench
