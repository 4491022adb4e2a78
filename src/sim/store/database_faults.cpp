#include "sim/store/database_faults.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

DatabaseFault choose(std::uint64_t draw, const DatabaseFaults& faults, Effect effect) {
    const auto hits = [&draw](std::uint32_t rate) {
        if (draw < rate) return true;
        draw -= rate;
        return false;
    };
    if (hits(faults.slow)) return DatabaseFault::slow;
    if (hits(faults.answers_lost)) return DatabaseFault::answer_lost;
    if (hits(faults.requests_lost)) return DatabaseFault::request_lost;
    if (effect == Effect::read) return DatabaseFault::none;
    if (hits(faults.serialization_failures)) return DatabaseFault::serialization_failure;
    if (hits(faults.commits_late)) return DatabaseFault::commit_late;
    return DatabaseFault::none;
}

}  // namespace

CallPlan draw_plan(Random& random, const DatabaseFaults& faults, const CallTimes& times, Effect effect) {
    CallPlan plan{.fault = choose(random.below(1'000), faults, effect),
                  .there = times.way.draw(random),
                  .commit = times.commit.draw(random),
                  .back = times.way.draw(random),
                  .patience = times.timeout,
                  .breaks = random.one_in(2),
                  .commit_was_sent = random.one_in(2)};
    const auto extra = Duration(random.below(8'000) * 1ms);
    const auto late = Duration(random.below(15'000) * 1ms);
    const auto place = random.below(3);
    const auto early = Latency{.least = {}, .most = times.timeout}.draw(random);
    if (plan.fault == DatabaseFault::slow) {
        (place == 0 ? plan.there : place == 1 ? plan.commit : plan.back) += extra;
    } else if (plan.fault == DatabaseFault::commit_late) {
        // Some requests wait in a backend's socket and are executed late; others are executed in time, hold their locks
        // and stall. Some callers see the broken connection early and therefore retry sooner.
        if (plan.breaks) plan.patience = early;
        (place == 0 ? plan.there : plan.commit) += plan.patience + late;
    }
    return plan;
}

}  // namespace fencepost::sim
