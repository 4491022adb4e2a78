#include "base/async/task_group.hpp"

#include <list>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/channel_error.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <boost/asio/redirect_error.hpp>

#include "base/assert.hpp"
#include "base/async/cancellation.hpp"

namespace fencepost {

void Teardown::begin(asio::execution_context& context) { asio::use_service<Teardown>(context).begun_ = true; }
bool Teardown::begun(asio::execution_context& context) { return asio::use_service<Teardown>(context).begun_; }

bool is_cancellation(const std::exception_ptr& error) {
    if (!error) return false;
    try {
        std::rethrow_exception(error);
    } catch (const boost::system::system_error& e) {
        return e.code() == asio::error::operation_aborted || e.code() == asio::experimental::error::channel_cancelled;
    } catch (const asio::multiple_exceptions& e) {
        // From `a || b`, when both were cancelled. Boost 1.81 keeps only the first error.
        return is_cancellation(e.first_exception());
    } catch (...) {
        return false;
    }
}

namespace {
using Signals = std::list<asio::cancellation_signal>;
using Ended = asio::experimental::channel<void(boost::system::error_code)>;
}  // namespace

// Shared with the tasks' completion handlers, which may run (or be destroyed) after the group is gone in a teardown.
struct TaskGroup::State {
    explicit State(Executor executor_in) : executor(std::move(executor_in)), ended(executor, 1) {}

    void cancel() {
        // A signal may complete its task at once and erase itself: advance before emitting.
        for (auto it = signals.begin(); it != signals.end();)
            (it++)->emit(asio::cancellation_type::terminal);
    }

    void on_end(Signals::iterator signal, const std::exception_ptr& error) {
        signals.erase(signal);
        if (error && !is_cancellation(error) && !first_error) {
            first_error = error;
            cancel();
        }
        if (signals.empty()) ended.try_send(boost::system::error_code{});
    }

    Executor executor;
    Signals signals;
    Ended ended;
    std::exception_ptr first_error;
};

TaskGroup::TaskGroup(Executor executor) : state_(std::make_shared<State>(std::move(executor))) {}

TaskGroup::~TaskGroup() {
    FP_ASSERT(state_->signals.empty() || Teardown::begun(state_->executor.context()),
              "{} tasks were neither cancelled nor joined by their owner", state_->signals.size());
}

void TaskGroup::spawn(Task<void> task) {
    const auto signal = state_->signals.emplace(state_->signals.end());
    // The handler must not keep the state alive: the state owns the signal, whose slot owns a reference to the handler.
    auto on_end = [weak = std::weak_ptr(state_), signal](const std::exception_ptr& error) {
        if (const auto state = weak.lock()) state->on_end(signal, error);
    };
    asio::co_spawn(state_->executor, std::move(task), asio::bind_cancellation_slot(signal->slot(), std::move(on_end)));
}

void TaskGroup::cancel() { state_->cancel(); }

std::size_t TaskGroup::running() const { return state_->signals.size(); }

Task<void> TaskGroup::join() {
    const auto state = state_;
    const bool throws_before = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);

    bool cancelled = false;
    while (!state->signals.empty()) {
        boost::system::error_code error;
        co_await state->ended.async_receive(asio::redirect_error(asio::use_awaitable, error));
        if (error) {
            // The caller was cancelled. Its tasks are cancelled and still awaited; a further cancellation of this wait
            // has the same effect.
            cancelled = true;
            state->cancel();
            co_await asio::this_coro::reset_cancellation_state();
        }
    }
    while (state->ended.try_receive([](auto&&...) {})) {
    }

    co_await asio::this_coro::throw_if_cancelled(throws_before);
    const auto error = std::exchange(state->first_error, nullptr);
    // Cancellation takes precedence over other errors; the reset above has cleared the state.
    if (cancelled) throw Cancelled();
    if (error) std::rethrow_exception(error);
}

}  // namespace fencepost
