#include "sim/fence_workload.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "sim/lease_database.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

// One incarnation of a node: opens the lane whenever it can, and counts up for as long as its fence holds.
Task<void> run_node(SimNode* node, LeaseDatabase* database, NodeId id, SeededRandom random) {
    SimClock clock(*node);
    for (;;) {
        const auto opened = co_await database->open(node, id);
        if (!opened || opened->result == LeaseResult::not_owner) {
            co_await clock.sleep_for(Duration(500ms + random.below(1'500) * 1ms));
            continue;
        }
        const Fence fence{id, opened->token};
        auto counter = opened->counter;
        for (;;) {
            co_await clock.sleep_for(Duration(random.below(400) * 1ms));
            if (random.one_in(8) && !(co_await database->renew(node, fence)).value_or(false)) break;
            const auto written = co_await database->write(node, fence, counter + 1);
            // Fenced, or nobody knows: either way what this lane remembers is worth nothing, and it opens anew.
            if (!written.value_or(false)) break;
            ++counter;
        }
    }
}

class Cluster {
public:
    Cluster(World& world, const FenceSettings& settings, FenceReport& report)
        : world_(world),
          settings_(settings),
          report_(report),
          database_(world, settings, report),
          chaos_(world.start_node("chaos")),
          random_(world.random().fork()) {
        for (std::uint64_t i = 0; i < settings.nodes; ++i)
            nodes_.push_back(start());
        world_.spawn(chaos_, inject_faults());
    }

private:
    // A restarted process is another owner: the incarnation is part of its id.
    SimNode* start() {
        const NodeId id(fmt::format("node-{}", ++incarnations_));
        auto& node = world_.start_node(id.value());
        world_.spawn(node, run_node(&node, &database_, id, random_.fork()));
        return &node;
    }

    Task<void> inject_faults() {
        SimClock clock(chaos_);
        for (;;) {
            co_await clock.sleep_for(Duration(random_.below(8'000) * 1ms));
            auto& node = nodes_[random_.below(nodes_.size())];
            switch (random_.below(3)) {
                case 0:
                    ++report_.crashes;
                    world_.kill(*node);
                    node = start();
                    break;
                case 1:
                    ++report_.pauses;
                    world_.pause(*node);
                    world_.spawn(chaos_, resume_after(node, Duration(random_.below(3'000) * settings_.lease / 1'000)));
                    break;
                default:
                    ++report_.clock_jumps;
                    node->set_clock_skew(Duration(random_.below(7'200) * 1s - 1h));
                    break;
            }
        }
    }

    Task<void> resume_after(SimNode* node, Duration duration) {
        SimClock clock(chaos_);
        co_await clock.sleep_for(duration);
        world_.resume(*node);
    }

    World& world_;
    const FenceSettings& settings_;
    FenceReport& report_;
    LeaseDatabase database_;
    SimNode& chaos_;
    SeededRandom random_;
    std::uint64_t incarnations_ = 0;
    std::vector<SimNode*> nodes_;
};

}  // namespace

FenceSettings FenceSettings::from_seed(std::uint64_t seed, Duration virtual_time) {
    SeededRandom random(seed);
    return {.seed = seed,
            .nodes = 2 + random.below(4),
            .lease = Duration(2s + random.below(10'000) * 1ms),
            .virtual_time = virtual_time};
}

std::string FenceSettings::describe() const {
    return fmt::format("seed {}: {} nodes, lease {}, {} virtual", seed, nodes,
                       std::chrono::duration_cast<std::chrono::milliseconds>(lease),
                       std::chrono::duration_cast<std::chrono::minutes>(virtual_time));
}

FenceReport run_fence_workload(const FenceSettings& settings) {
    FenceReport report;
    World world(settings.seed);
    const Cluster cluster(world, settings, report);
    world.run_for(settings.virtual_time);
    report.trace_hash = world.trace_hash();
    return report;
}

}  // namespace fencepost::sim
