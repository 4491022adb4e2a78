// The listeners to wake when an endpoint's head may have moved. Network and listeners share it, because either may be
// destroyed first: a crash destroys listeners at any moment, and a world may outlive the network.
#pragma once

#include <vector>

#include "base/async/wakeup.hpp"

namespace fencepost::sim {

class HeadBells {
public:
    void add(Wakeup* bell) { bells_.push_back(bell); }
    void remove(Wakeup* bell) { std::erase(bells_, bell); }
    void ring() const {
        for (auto* bell : bells_)
            bell->ring();
    }

private:
    std::vector<Wakeup*> bells_;
};

}  // namespace fencepost::sim
