#include "http/client_watch.hpp"

#include <utility>

namespace fencepost::http {

void ClientWatch::when_gone(std::function<void()> call) {
    call_ = std::move(call);
    if (!call_) return;
    if (gone_) {
        call_();
    } else if (!task_) {
        task_.emplace(connection_.executor());
        task_->spawn(watch(this));
    }
}

Task<void> ClientWatch::stop() {
    call_ = nullptr;
    task_->cancel();
    co_await task_->join();
}

// Reads once: a client that sends its next request is still connected, and no more of it should be buffered.
Task<void> ClientWatch::watch(ClientWatch* self) {
    const auto size = co_await self->connection_.read_some(self->buffer_);
    if (size) {
        self->parser_.feed({self->buffer_.data(), *size});
        co_return;
    }
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) co_return;
    self->gone_ = true;
    if (self->call_) self->call_();
}

}  // namespace fencepost::http
