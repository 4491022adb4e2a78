// The listeners to wake when an endpoint's head may have moved. Network and listeners share it, because either may be
// destroyed first: a crash destroys listeners at any moment, and a world may outlive the network.
#pragma once

#include <vector>

#include "base/async/wakeup.hpp"

namespace fencepost::sim {

class HeadWakeups {
public:
    void add(Wakeup* bell) { head_wakeups_.push_back(bell); }
    void remove(Wakeup* bell) { std::erase(head_wakeups_, bell); }
    void notify() const {
        for (auto* bell : head_wakeups_)
            bell->notify();
    }

private:
    std::vector<Wakeup*> head_wakeups_;
};

}  // namespace fencepost::sim
