#include "sim/sim_clock.hpp"

#include <memory>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>

namespace fencepost::sim {
namespace {

// Starts the timer of one sleep. The cancellation slot stores only the timer's key: if it owned the handler, the
// handler would own the frame that owns the slot, and a kill would leak all of them.
struct StartTimer {
    template <typename Handler>
    void operator()(Handler&& handler) const {
        auto slot = asio::get_associated_cancellation_slot(handler);
        const auto key = node->set_timer(
            deadline, [slot, handler = std::forward<Handler>(handler)](boost::system::error_code error) mutable {
                slot.clear();
                std::move(handler)(error);
            });
        if (slot.is_connected()) {
            slot.assign([node = node, key](asio::cancellation_type /*type*/) { node->cancel_timer(key); });
        }
    }

    SimNode* node;
    Instant deadline;
};

// A timer that triggers a wake-up. An expired one may already be queued when the wait ends; it then does nothing.
class WakeupTimer {
public:
    WakeupTimer(SimNode& node, Instant deadline, Wakeup* bell)
        : node_(node),
          bell_(std::make_shared<Wakeup*>(bell)),
          key_(node.set_timer(deadline, [waiting = std::weak_ptr(bell_)](boost::system::error_code /*error*/) {
              if (const auto bell = waiting.lock()) (*bell)->notify();
          })) {}
    ~WakeupTimer() { node_.drop_timer(key_); }
    WakeupTimer(const WakeupTimer&) = delete;
    WakeupTimer& operator=(const WakeupTimer&) = delete;

private:
    SimNode& node_;
    std::shared_ptr<Wakeup*> bell_;
    SimNode::TimerKey key_;
};

}  // namespace

UnixTime SimClock::unix_now() const {
    return node_.world().unix_now() + std::chrono::duration_cast<std::chrono::microseconds>(node_.clock_skew());
}

Task<void> SimClock::sleep_until(Instant deadline) {
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void(boost::system::error_code)>(
        StartTimer{&node_, deadline}, asio::use_awaitable);
}

Task<void> SimClock::wait_until(Wakeup* bell, Instant deadline) {
    const WakeupTimer alarm(node_, deadline, bell);
    co_await bell->wait();
}

}  // namespace fencepost::sim
