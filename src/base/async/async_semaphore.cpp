#include "base/async/async_semaphore.hpp"

#include <utility>

#include <boost/asio/experimental/channel.hpp>

#include "base/assert.hpp"
#include "base/async/task_group.hpp"

namespace fencepost {

// Each waiter has its own channel: with Boost 1.81 a shared channel does not buffer any more once a wait on it was
// cancelled.
struct Turns::Waiter {
    explicit Waiter(State& state_in);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    State& state;
    asio::experimental::channel<void(boost::system::error_code)> bell;
    bool has_turn = false;
};

struct Turns::State {
    void give_back() {
        // During teardown of the context the waiters have already left their channels.
        if (line.empty() || Teardown::begun(executor.context())) {
            ++left;
            return;
        }
        auto* const next = line.front();
        line.pop_front();
        next->has_turn = true;
        next->bell.try_send(boost::system::error_code{});
    }

    Executor executor;
    std::size_t left;
    std::deque<Waiter*> line{};
};

Turns::Waiter::Waiter(State& state_in) : state(state_in), bell(state_in.executor, 1) { state.line.push_back(this); }
Turns::Waiter::~Waiter() {
    if (has_turn) {
        state.give_back();  // its task was cancelled just after it got the permit
    } else {
        std::erase(state.line, this);
    }
}

Turns::Turn::Turn(std::shared_ptr<State> state) : state_(std::move(state)) {}
Turns::Turn::~Turn() {
    if (state_) state_->give_back();
}

Turns::Turns(const Executor& executor, std::size_t at_once)
    : state_(std::make_shared<State>(State{.executor = executor, .left = at_once})) {
    FP_ASSERT(at_once > 0);
}
Turns::~Turns() = default;

std::size_t Turns::waiting() const { return state_->line.size(); }

Task<Turns::Turn> Turns::take() { return take_from(state_); }

Task<Turns::Turn> Turns::take_from(std::shared_ptr<State> state) {
    if (state->left > 0) {
        --state->left;
    } else {
        Waiter waiter(*state);
        co_await waiter.bell.async_receive(asio::use_awaitable);
        FP_ASSERT(std::exchange(waiter.has_turn, false));
    }
    co_return Turn(state);
}

}  // namespace fencepost
