#include "sim/chain/faults.hpp"

#include <initializer_list>
#include <utility>

namespace fencepost::sim {
namespace {

// One draw per call even when no fault is possible: changing the rates does not shift later draws.
template <typename Fault>
Fault choose(Random& random, std::initializer_list<std::pair<Fault, std::uint32_t>> rates) {
    auto draw = random.below(1'000);
    for (const auto& [fault, rate] : rates) {
        if (draw < rate) return fault;
        draw -= rate;
    }
    return Fault::none;
}

}  // namespace

SendFault FaultRates::draw_send(Random& random) const {
    return choose<SendFault>(random, {{SendFault::unreachable, unreachable},
                                      {SendFault::lost, sends_lost},
                                      {SendFault::timed_out_after_arriving, sends_timed_out_after_arriving},
                                      {SendFault::rate_limited, sends_rate_limited},
                                      {SendFault::duplicated, sends_duplicated}});
}

ReadFault FaultRates::draw_read(Random& random) const {
    return choose<ReadFault>(random, {{ReadFault::unreachable, unreachable},
                                      {ReadFault::timed_out, reads_timed_out},
                                      {ReadFault::rate_limited, reads_rate_limited},
                                      {ReadFault::refused, reads_refused}});
}

Duration Latency::draw(Random& random) const {
    return least +
           Duration(static_cast<Duration::rep>(random.below(static_cast<std::uint64_t>((most - least).count()) + 1)));
}

}  // namespace fencepost::sim
