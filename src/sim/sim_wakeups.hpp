// Wake-ups between simulated nodes: they arrive after a delay on the receiving node's own time, or get lost.
#pragma once

#include <cstdint>
#include <map>

#include "ports/wakeup_inbox.hpp"
#include "ports/wakeups.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

class SimWakeups;

/// The transport. It must outlive the world's runs.
class WakeupHub {
public:
    explicit WakeupHub(World& world) : world_(world) {}

    void set_latency(Duration latency) { latency_ = latency; }
    /// Loses one in n per listener; 1: all, 0: none.
    void lose_one_in(std::uint64_t n) { lose_one_in_ = n; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

private:
    friend class SimWakeups;
    void broadcast(const SubmitterId& submitter);
    void deliver(std::uint64_t listener, const SubmitterId& submitter);

    World& world_;
    Duration latency_ = std::chrono::milliseconds(1);
    std::uint64_t lose_one_in_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, SimWakeups*> listeners_;
};

/// One node's connection to the hub.
class SimWakeups final : public Wakeups {
public:
    SimWakeups(SimNode& node, WakeupHub& hub);
    ~SimWakeups() override;
    SimWakeups(const SimWakeups&) = delete;
    SimWakeups& operator=(const SimWakeups&) = delete;

    void announce(const SubmitterId& submitter) override { hub_.broadcast(submitter); }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() override { return inbox_.next(); }
    [[nodiscard]] std::size_t undelivered() const { return inbox_.size(); }

private:
    friend class WakeupHub;

    SimNode& node_;
    WakeupHub& hub_;
    std::uint64_t number_;
    WakeupInbox inbox_;
};

}  // namespace fencepost::sim
