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

// How long to wait when a connection cannot be accepted, which is when descriptors or memory have run out.
constexpr Duration accept_pause = std::chrono::milliseconds(100);

// A limit is noticed up to a quarter late.
Duration sweep_period(const TimeLimits& time) {
    const auto shortest = std::min({time.header, time.body, time.idle, time.response});
    return std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

}  // namespace

// Shared with every task of the server, so that a teardown may destroy tasks and server in any order.
struct Server::Impl {
    Impl(const Executor& executor, Clock& clock_in, const Router& router_in, ServerOptions options_in)
        : clock(clock_in),
          router(router_in),
          options(std::move(options_in)),
          tls(options.tls ? make_tls_context(*options.tls) : nullptr),
          load(options),
          acceptor(open_listener(executor, options.listen, options.beyond_loopback)),
          tasks(executor),
          helpers(executor) {}

    using Shared = std::shared_ptr<Impl>;
    static Task<void> run(Shared self);
    static Task<void> accept(Shared self);
    static Task<void> converse(Shared self, tcp::socket socket, Load::Place place);
    static Task<void> sweep(Shared self);
    static Task<void> cancel_when_drained_too_long(Shared self);
    static Task<void> finish(Shared self);
    static void admit(const Shared& self, tcp::socket socket);

    Clock& clock;
    const Router& router;
    const ServerOptions options;
    const std::unique_ptr<TlsContext, DeleteTlsContext> tls;
    Load load;
    tcp::acceptor acceptor;
    std::list<Session> sessions;
    TaskGroup tasks;    // one a session
    TaskGroup helpers;  // what watches over them
    bool ran = false;
};

namespace {

// A session is on the list for as long as its task runs.
class Listed {
public:
    Listed(std::list<Session>& sessions, tcp::socket socket, const asio::ip::address& peer,
           const Session::Surroundings& surroundings)
        : sessions_(sessions),
          session_(sessions.emplace(sessions.end(), std::move(socket), peer, surroundings)) {}
    ~Listed() { sessions_.erase(session_); }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

    Session* operator->() const { return &*session_; }

private:
    std::list<Session>& sessions_;
    std::list<Session>::iterator session_;
};

}  // namespace

Task<void> Server::Impl::converse(Shared self, tcp::socket socket, Load::Place place) {
    if (!self->acceptor.is_open()) co_return;  // the server began to stop before this task began to run
    const Listed session(self->sessions, std::move(socket), place.peer(),
                         {self->clock, self->router, self->options, self->tls.get(), self->load});
    try {
        co_await (place.is_admitted() ? session->serve() : session->refuse());
    } catch (const std::bad_alloc&) {
        // One connection that asks for too much must not end the others.
        self->options.on_fault("out of memory; a connection was closed");
    }
}

void Server::Impl::admit(const Shared& self, tcp::socket socket) {
    auto place = self->load.place_for(socket);
    if (place) self->tasks.spawn(converse(self, std::move(socket), *std::move(place)));  // or the socket closes itself
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
    // From here on a cancellation is the second one: it hurries the end, it does not skip it.
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
