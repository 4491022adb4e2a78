// Consumer queues, and events built from the window after a gap.
#include "evm/heads/head_streams.hpp"

#include <deque>
#include <list>
#include <utility>

#include "base/assert.hpp"
#include "base/async/wakeup.hpp"

namespace fencepost::evm {

namespace {

// An event, and the lowest block of the window when it was emitted: later events in a queue fork no lower.
struct QueuedEvent {
    HeadEvent event;
    BlockNumber oldest;
};

}  // namespace

// The state and the queue of one consumer.
struct HeadStreams::Consumer {
    std::deque<std::shared_ptr<const QueuedEvent>> queue;
    /// The queue does not reach the head: the next event is built from the window. Initial state.
    bool gap = true;
    /// The chain as this consumer knows it, as far as the window reaches.
    CanonicalChain given;
    std::optional<Wakeup> bell;  // from the first wait on, which knows the executor

    void offer(const std::shared_ptr<const QueuedEvent>& told, std::size_t queue_length) {
        if (!gap && queue.size() >= queue_length) drop();
        if (!gap) queue.push_back(told);
        if (bell) bell->notify();
    }

    void drop() {
        queue.clear();
        gap = true;
    }
};

// Shared with the streams, so that streams and follower may be destroyed in any order.
struct HeadStreams::State {
    explicit State(std::size_t queue_length_in) : queue_length(queue_length_in) {}

    [[nodiscard]] bool has_for(const Consumer& consumer) const {
        return consumer.gap ? !window.chain().empty() : !consumer.queue.empty();
    }

    [[nodiscard]] HeadEvent take(Consumer& consumer) const;
    [[nodiscard]] HeadEvent catch_up(const CanonicalChain& given) const;

    std::size_t queue_length;
    BlockWindow window;
    Settled settled;
    std::list<Consumer> consumers;
};

HeadEvent HeadStreams::State::take(Consumer& consumer) const {
    QueuedEvent told;
    if (std::exchange(consumer.gap, false)) {
        told = {catch_up(consumer.given), window.chain().oldest()->number};
    } else {
        told = *consumer.queue.front();
        consumer.queue.pop_front();
    }
    if (!told.event.change.common_ancestor) consumer.given = {};
    const auto change = consumer.given.adopt(told.event.change.added);
    FP_ASSERT(change.has_value(), "an event does not link to the events before it");
    consumer.given.prune_below(told.oldest);
    return std::move(told.event);
}

// From the highest block that consumer and window share to the head. The window never gets lower without being
// replaced, so removed blocks always have replacements.
HeadEvent HeadStreams::State::catch_up(const CanonicalChain& given) const {
    const auto& chain = window.chain();
    HeadEvent event{{}, {}, settled.safe, settled.finalized, true};
    if (!given.empty() && given.head()->number >= chain.oldest()->number) {
        auto number = given.head()->number;
        while (!chain.contains(*given.at(number)) && number > given.oldest()->number)
            number = BlockNumber(number.value() - 1);
        if (chain.contains(*given.at(number))) event.change.common_ancestor = *given.at(number);
    }
    if (event.change.common_ancestor) {
        const auto fork = event.change.common_ancestor->number;
        for (auto n = fork.next(); n <= given.head()->number; n = n.next())
            event.change.removed.push_back(*given.at(n));
        event.blocks = window.from(fork.next());
    } else {
        event.blocks = window.from(chain.oldest()->number);
    }
    event.change.added = refs_of(event.blocks);
    return event;
}

class HeadStreams::Stream final : public HeadStream {
public:
    explicit Stream(std::shared_ptr<State> state)
        : state_(std::move(state)),
          consumer_(state_->consumers.emplace(state_->consumers.end())) {}
    ~Stream() override { state_->consumers.erase(consumer_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    Task<HeadEvent> next() override {
        if (!consumer_->bell) consumer_->bell.emplace(co_await asio::this_coro::executor);
        while (!state_->has_for(*consumer_))
            co_await consumer_->bell->wait();
        co_return state_->take(*consumer_);
    }

private:
    std::shared_ptr<State> state_;
    std::list<Consumer>::iterator consumer_;
};

HeadStreams::HeadStreams(std::size_t queue_length) : state_(std::make_shared<State>(queue_length)) {
    FP_ASSERT(queue_length > 0);
}
HeadStreams::~HeadStreams() = default;

std::unique_ptr<HeadStream> HeadStreams::subscribe() { return std::make_unique<Stream>(state_); }

Result<HeadChange, AdoptError> HeadStreams::adopt(const Blocks& branch) { return state_->window.adopt(branch); }

void HeadStreams::publish(HeadChange change, const Settled& settled, BlockNumber oldest) {
    auto& window = state_->window;
    const bool more_settled = std::exchange(state_->settled, settled) != settled;
    Blocks blocks;
    if (!change.added.empty()) {
        blocks = window.from(change.added.front().number);
    } else if (more_settled) {
        change = {*window.chain().head(), {}, {}};
    } else {
        return;
    }
    window.prune_below(oldest);
    const auto told = std::make_shared<const QueuedEvent>(
        QueuedEvent{{std::move(change), std::move(blocks), settled.safe, settled.finalized, false},
                    window.chain().oldest()->number});
    for (auto& consumer : state_->consumers)
        consumer.offer(told, state_->queue_length);
}

void HeadStreams::replace(const Blocks& blocks, const Settled& settled) {
    state_->window.replace(blocks);
    state_->settled = settled;
    for (auto& consumer : state_->consumers) {
        consumer.drop();
        consumer.given = {};
        if (consumer.bell) consumer.bell->notify();
    }
}

const BlockWindow& HeadStreams::window() const { return state_->window; }

}  // namespace fencepost::evm
