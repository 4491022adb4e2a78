#include "base/async/async_semaphore.hpp"

#include <utility>

#include <boost/asio/experimental/channel.hpp>

#include "base/assert.hpp"
#include "base/async/task_group.hpp"

namespace fencepost {

// Each waiter has its own channel: with Boost 1.81 a shared channel does not buffer any more once a wait on it was
// cancelled.
struct AsyncSemaphore::Waiter {
    explicit Waiter(State& state_in);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    State& state;
    asio::experimental::channel<void(boost::system::error_code)> granted;
    bool has_turn = false;
};

struct AsyncSemaphore::State {
    void give_back() {
        // During teardown of the context the waiters have already left their channels.
        if (queue.empty() || Teardown::begun(executor.context())) {
            ++left;
            return;
        }
        auto* const next = queue.front();
        queue.pop_front();
        next->has_turn = true;
        next->granted.try_send(boost::system::error_code{});
    }

    Executor executor;
    std::size_t left;
    std::deque<Waiter*> queue{};
};

AsyncSemaphore::Waiter::Waiter(State& state_in) : state(state_in), granted(state_in.executor, 1) {
    state.queue.push_back(this);
}
AsyncSemaphore::Waiter::~Waiter() {
    if (has_turn) {
        state.give_back();  // its task was cancelled just after it got the permit
    } else {
        std::erase(state.queue, this);
    }
}

AsyncSemaphore::Permit::Permit(std::shared_ptr<State> state) : state_(std::move(state)) {}
AsyncSemaphore::Permit::~Permit() {
    if (state_) state_->give_back();
}

AsyncSemaphore::AsyncSemaphore(const Executor& executor, std::size_t permits)
    : state_(std::make_shared<State>(State{.executor = executor, .left = permits})) {
    FP_ASSERT(permits > 0);
}
AsyncSemaphore::~AsyncSemaphore() = default;

std::size_t AsyncSemaphore::waiting() const { return state_->queue.size(); }

Task<AsyncSemaphore::Permit> AsyncSemaphore::take() { return take_from(state_); }

Task<AsyncSemaphore::Permit> AsyncSemaphore::take_from(std::shared_ptr<State> state) {
    if (state->left > 0) {
        --state->left;
    } else {
        Waiter waiter(*state);
        co_await waiter.granted.async_receive(asio::use_awaitable);
        FP_ASSERT(std::exchange(waiter.has_turn, false));
    }
    co_return Permit(state);
}

}  // namespace fencepost
