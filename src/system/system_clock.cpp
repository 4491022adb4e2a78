// Timers on Asio, with a fixed order for equal deadlines.
#include "system/system_clock.hpp"

#include <chrono>
#include <memory>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace fencepost {
namespace {

std::chrono::steady_clock::time_point at(Instant instant) {
    return std::chrono::steady_clock::time_point(instant.time_since_epoch());
}

}  // namespace

// A sleep leaves the queue however it ends, also when its coroutine frame is destroyed while suspended.
struct SystemClock::Sleeper {
    Sleeper(SystemClock& clock, Instant deadline)
        : queue(clock.queue_),
          position(queue.emplace(deadline, clock.begun_++).first) {}
    ~Sleeper() { queue.erase(position); }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

    [[nodiscard]] bool is_next() const { return position == queue.begin(); }

    std::set<QueuePosition>& queue;
    std::set<QueuePosition>::iterator position;
};

Instant SystemClock::monotonic() const {
    return Instant(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

UnixTime SystemClock::unix_now() const {
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

Task<void> SystemClock::sleep_until(Instant deadline) {
    asio::steady_timer timer(co_await asio::this_coro::executor, at(deadline));
    const Sleeper sleeper(*this, deadline);
    co_await timer.async_wait(asio::use_awaitable);
    // Asio's timer heap fires equal deadlines in any order. Any sleep ahead of this one is due as well and already
    // queued: let it go first.
    while (!sleeper.is_next())
        co_await asio::post(asio::use_awaitable);
}

Task<void> SystemClock::wait_until(Wakeup* bell, Instant deadline) {
    asio::steady_timer timer(co_await asio::this_coro::executor, at(deadline));
    // The timer may be due with its handler queued when the wait ends: by then the wakeup may no longer exist.
    const auto waiting = std::make_shared<Wakeup*>(bell);
    timer.async_wait([waiting = std::weak_ptr(waiting)](boost::system::error_code error) {
        const auto due = waiting.lock();
        if (!error && due) (*due)->notify();
    });
    co_await bell->wait();
}

}  // namespace fencepost
