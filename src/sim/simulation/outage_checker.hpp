// While no node can work, moving lanes between nodes is useless: each lane may be opened a few times and then must stay
// where it is (failure 38).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/simulation/violation.hpp"
#include "sim/store/database_event.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

class OutageChecker {
public:
    /// Whether a lane has anything to do or to watch.
    using HasWork = std::function<bool(const SubmitterId&)>;

    OutageChecker(World& world, HasWork has_work, ViolationRecorder& violations)
        : world_(world),
          has_work_(std::move(has_work)),
          violations_(violations) {}

    /// Three for two nodes. Each node gets a lane once before all nodes know that they cannot work, and once more after
    /// its retry, which comes every ten minutes at most; the first owner already has it.
    [[nodiscard]] static std::size_t max_openings(std::size_t nodes) { return 2 * nodes - 1; }

    /// For an outage in which each node can work now and then. A node loses that ability after 10 s and regains it
    /// after 30, 60, 120, 240 s and so on: it gets a lane at most four times in ten minutes. The first owner already
    /// has it.
    [[nodiscard]] static std::size_t max_openings_with_retries(std::size_t nodes) { return 4 * nodes + 1; }

    void begin(std::size_t most) {
        most_ = most;
        openings_.emplace();
    }
    void end() { openings_.reset(); }

    void see(const DatabaseEvent& event) {
        if (const auto* released = std::get_if<Released>(&event)) take(*released);
        if (const auto* opened = std::get_if<Opened>(&event); opened != nullptr && opened->answer.fence) take(*opened);
    }

private:
    void take(const Released& released) {
        if (!has_work_(released.claim.submitter)) given_back_.insert(released.claim.submitter);
    }
    // A lane that was released for lack of work, or is new, is opened because of new work.
    void take(const Opened& opened) {
        const auto& submitter = opened.submitter;
        const bool had_no_work = given_back_.erase(submitter) > 0 || opened.answer.result == LeaseResult::inserted;
        if (!openings_ || had_no_work) return;
        const auto raises = ++(*openings_)[submitter];
        if (raises <= most_) return;
        violations_.report(world_.now(), "lanes stay where they are while no node can work",
                           fmt::format("{} was opened {} times in one outage", submitter, raises), submitter);
    }

    World& world_;
    HasWork has_work_;
    ViolationRecorder& violations_;
    std::set<SubmitterId> given_back_;
    std::size_t most_ = 0;
    /// Openings per lane in the current outage.
    std::optional<std::map<SubmitterId, std::size_t>> openings_{};
};

}  // namespace fencepost::sim
