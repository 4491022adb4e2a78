#include "http/server.hpp"

#include <algorithm>
#include <list>
#include <new>
#include <utility>

#include "base/assert.hpp"
#include "base/async/as_result.hpp"
#include "base/async/task_group.hpp"
#include "http/listener.hpp"
#include "http/session.hpp"

namespace fencepost::http {
namespace {

using asio::ip::tcp;

// Pause after a failed accept, which means that file descriptors or memory are exhausted.
constexpr Duration accept_pause = std::chrono::milliseconds(100);

// An exceeded limit is detected at most a quarter of its time late.
Duration sweep_period(const TimeLimits& time) {
    const auto shortest = std::min({time.header, time.body, time.idle, time.response});
    return std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

}  // namespace

// Shared with every task of the server, so that a teardown may destroy the tasks and the server in any order.
struct Server::Impl {
    Impl(const Executor& executor, Clock& clock_in, const Router& router_in, ServerOptions options_in)
        : clock(clock_in),
          router(router_in),
          options(std::move(options_in)),
          tls(options.tls ? make_tls_context(*options.tls) : nullptr),
          limiter(options),
          acceptor(open_listener(executor, options.listen, options.beyond_loopback)),
          tasks(executor),
          helpers(executor) {}

    using Shared = std::shared_ptr<Impl>;
    static Task<void> run(Shared self);
    static Task<void> accept(Shared self);
    static Task<void> run_session(Shared self, tcp::socket socket, ConnectionLimiter::Slot slot);
    static Task<void> sweep(Shared self);
    static Task<void> cancel_when_drained_too_long(Shared self);
    static Task<void> finish(Shared self);
    static void admit(const Shared& self, tcp::socket socket);

    Clock& clock;
    const Router& router;
    const ServerOptions options;
    const std::unique_ptr<TlsContext, DeleteTlsContext> tls;
    ConnectionLimiter limiter;
    tcp::acceptor acceptor;
    std::list<Session> sessions;
    TaskGroup tasks;    // one per session
    TaskGroup helpers;  // supervise the sessions
    bool ran = false;
};

namespace {

// Keeps a session in the list while its task runs.
class Listed {
public:
    Listed(std::list<Session>& sessions, tcp::socket socket, const asio::ip::address& peer,
           const Session::SharedState& shared_state)
        : sessions_(sessions),
          session_(sessions.emplace(sessions.end(), std::move(socket), peer, shared_state)) {}
    ~Listed() { sessions_.erase(session_); }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

    Session* operator->() const { return &*session_; }

private:
    std::list<Session>& sessions_;
    std::list<Session>::iterator session_;
};

}  // namespace

Task<void> Server::Impl::run_session(Shared self, tcp::socket socket, ConnectionLimiter::Slot slot) {
    if (!self->acceptor.is_open()) co_return;  // the server stopped before this task started
    const Listed session(self->sessions, std::move(socket), slot.peer(),
                         {self->clock, self->router, self->options, self->tls.get(), self->limiter});
    try {
        co_await (slot.is_admitted() ? session->serve() : session->refuse());
    } catch (const std::bad_alloc&) {
        // A connection that exhausts the memory must not end the others.
        self->options.on_fault("Out of memory; connection closed");
    }
}

void Server::Impl::admit(const Shared& self, tcp::socket socket) {
    auto slot = self->limiter.acquire_slot(socket);
    if (!slot) return;  // the socket closes itself
    self->tasks.spawn(run_session(self, std::move(socket), *std::move(slot)));
}

Task<void> Server::Impl::accept(Shared self) {
    for (;;) {
        auto [error, socket] = co_await self->acceptor.async_accept(as_result);
        if (!error) {
            admit(self, std::move(socket));
        } else if (error != asio::error::connection_aborted) {
            co_await self->clock.sleep_for(accept_pause);
        }
    }
}

Task<void> Server::Impl::sweep(Shared self) {
    for (;;) {
        co_await self->clock.sleep_for(sweep_period(self->options.time));
        const auto now = self->clock.monotonic();
        for (auto& session : self->sessions)
            session.close_if_overdue(now);
    }
}

Task<void> Server::Impl::cancel_when_drained_too_long(Shared self) {
    co_await self->clock.sleep_for(self->options.time.drain);
    self->tasks.cancel();
}

Task<void> Server::Impl::finish(Shared self) {
    self->acceptor.close();
    for (auto& session : self->sessions)
        session.drain();
    self->helpers.spawn(cancel_when_drained_too_long(self));
    std::exception_ptr error;
    try {
        co_await self->tasks.join();
    } catch (...) {
        error = std::current_exception();
    }
    self->helpers.cancel();
    co_await self->helpers.join();
    if (error) std::rethrow_exception(error);
}

Task<void> Server::Impl::run(Shared self) {
    FP_ASSERT(!std::exchange(self->ran, true), "a server runs once");
    self->helpers.spawn(sweep(self));
    std::exception_ptr end;
    try {
        co_await accept(self);
    } catch (...) {
        end = std::current_exception();
    }
    // Any further cancellation is the second one: it shortens the shutdown but does not skip it.
    co_await asio::this_coro::reset_cancellation_state();
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await finish(self);
    std::rethrow_exception(end);
}

Server::Server(const Executor& executor, Clock& clock, const Router& router, ServerOptions options)
    : impl_(std::make_shared<Impl>(executor, clock, router, std::move(options))) {}

Server::~Server() = default;

ListenAddress Server::address() const {
    const auto endpoint = impl_->acceptor.local_endpoint();
    return {.host = endpoint.address().to_string(), .port = endpoint.port()};
}

Task<void> Server::run() { return Impl::run(impl_); }

}  // namespace fencepost::http
