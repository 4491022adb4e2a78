#include "sim/sim_wakeups.hpp"

namespace fencepost::sim {

void WakeupHub::broadcast(const SubmitterId& submitter) {
    for (const auto& [number, listener] : listeners_) {
        if (!listener->node_.is_alive()) continue;
        if (lose_one_in_ > 0 && world_.random().one_in(lose_one_in_)) {
            ++lost_;
            continue;
        }
        // A timer of the listener: a paused node receives it late, a dead one never.
        listener->node_.set_timer(
            world_.now() + latency_,
            [this, number, submitter](boost::system::error_code /*error*/) { deliver(number, submitter); });
    }
}

void WakeupHub::deliver(std::uint64_t listener, const SubmitterId& submitter) {
    const auto found = listeners_.find(listener);
    if (found != listeners_.end()) found->second->inbox_.put(submitter);
}

SimWakeups::SimWakeups(SimNode& node, WakeupHub& hub)
    : node_(node),
      hub_(hub),
      number_(hub.next_++),
      inbox_(node.executor()) {
    hub_.listeners_.emplace(number_, this);
}

SimWakeups::~SimWakeups() { hub_.listeners_.erase(number_); }

}  // namespace fencepost::sim
