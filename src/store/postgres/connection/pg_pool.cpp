// Lends connections in FIFO order and reconnects.
#include "store/postgres/connection/pg_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/experimental/channel.hpp>

#include "base/assert.hpp"

namespace fencepost::store::pg {
namespace {

using Bell = asio::experimental::channel<void(boost::system::error_code)>;

// Temporary: unreachable, starting or shutting down (57), too many connections (53), or a standby about to be promoted.
bool is_temporary(const PgError& error) {
    const std::string_view state = error.sqlstate;
    return error.kind != PgError::Kind::refused || state.starts_with("57") || state.starts_with("53") ||
           state.starts_with("08") || state == "25006";
}

}  // namespace

// A queued request for a permit. Each has its own wakeup: in Boost 1.81 a channel with other waiters accepts nothing
// into its buffer once a wait on it was cancelled.
struct Pool::Waiter {
    explicit Waiter(State& state_in);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    State& state;
    Bell bell;
    bool has_permit = false;
};

struct Pool::State {
    State(const Executor& executor_in, Clock& clock_in, Random& random_in, PoolOptions options_in)
        : executor(executor_in),
          clock(clock_in),
          random(random_in),
          options(std::move(options_in)),
          permits(options.size) {
        FP_ASSERT(options.size > 0 && options.initial_pause > Duration::zero());
    }

    void return_permit();

    void on_success() {
        failures = 0;
        failing_since.reset();
        next_attempt = {};
    }

    void on_failure() {
        static constexpr unsigned max_doublings = 20;
        const auto pause = std::min(options.longest_pause, options.initial_pause * (1U << failures));
        failures = std::min(failures + 1, max_doublings);
        const auto half = pause / 2;
        const auto now = clock.monotonic();
        next_attempt = now + half + Duration(random.below(static_cast<std::uint64_t>(half.count()) + 1));
        if (!failing_since) failing_since = now;
    }

    // During a long outage each new request gets a single attempt: queued tasks must not spend the whole patience one
    // after another.
    [[nodiscard]] bool patience_exceeded() const {
        return failing_since && next_attempt > *failing_since + options.patience;
    }

    Executor executor;
    Clock& clock;
    Random& random;
    PoolOptions options;
    std::size_t permits;  // connections that may still be borrowed
    std::deque<Waiter*> line{};
    std::vector<std::unique_ptr<Connection>> idle;
    unsigned failures = 0;  // since a connection was last opened
    std::optional<Instant> failing_since;
    Instant next_attempt{};
};

void Pool::State::return_permit() {
    if (line.empty()) {
        ++permits;
        return;
    }
    auto* const next = line.front();
    line.pop_front();
    next->has_permit = true;
    next->bell.try_send(boost::system::error_code{});
}

Pool::Waiter::Waiter(State& state_in) : state(state_in), bell(state_in.executor, 1) { state.line.push_back(this); }
Pool::Waiter::~Waiter() {
    if (has_permit) {
        state.return_permit();  // its task was cancelled just when it got its permit
    } else {
        std::erase(state.line, this);
    }
}

Pool::Lease::Lease(std::shared_ptr<State> state) : state_(std::move(state)) {}
Pool::Lease::Lease(Lease&&) noexcept = default;
Pool::Lease& Pool::Lease::operator=(Lease&& other) noexcept {
    if (this == &other) return *this;
    give_back();
    state_ = std::move(other.state_);
    connection_ = std::move(other.connection_);
    return *this;
}
Pool::Lease::~Lease() { give_back(); }

void Pool::Lease::give_back() {
    if (!state_) return;
    if (connection_ && connection_->is_usable() && !connection_->in_transaction()) {
        state_->idle.push_back(std::move(connection_));
    }
    connection_.reset();
    std::exchange(state_, nullptr)->return_permit();
}

Pool::Pool(const Executor& executor, Clock& clock, Random& random, PoolOptions options)
    : state_(std::make_shared<State>(executor, clock, random, std::move(options))) {}
Pool::~Pool() = default;

std::size_t Pool::idle() const { return state_->idle.size(); }

Task<PgResult<Pool::Lease>> Pool::take() { return take_from(state_); }

Task<PgResult<Pool::Lease>> Pool::take_from(std::shared_ptr<State> state) {
    if (state->permits > 0) {
        --state->permits;
    } else {
        Waiter waiter(*state);
        co_await waiter.bell.async_receive(asio::use_awaitable);
        FP_ASSERT(std::exchange(waiter.has_permit, false));
    }
    Lease lease(state);  // from here on the permit is returned on every path
    while (!lease.connection_ && !state->idle.empty()) {
        lease.connection_ = std::move(state->idle.back());
        state->idle.pop_back();
        if (!lease.connection_->is_usable()) lease.connection_.reset();
    }
    if (!lease.connection_) {
        auto opened = co_await open(state);
        if (!opened) co_return err(std::move(opened.error()));
        lease.connection_ = std::move(*opened);
    }
    co_return lease;
}

Task<PgResult<std::unique_ptr<Connection>>> Pool::open(std::shared_ptr<State> state) {
    for (;;) {
        if (state->clock.monotonic() < state->next_attempt) co_await state->clock.sleep_until(state->next_attempt);
        auto opened = co_await Connection::connect(state->executor, state->options.connection);
        if (opened) {
            state->on_success();
            co_return opened;
        }
        state->on_failure();
        if (!is_temporary(opened.error()) || state->patience_exceeded()) co_return opened;
    }
}

}  // namespace fencepost::store::pg
