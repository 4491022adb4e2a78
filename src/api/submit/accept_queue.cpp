#include "api/submit/accept_queue.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <utility>

#include "base/async/caught.hpp"

namespace fencepost::api {
namespace {

std::size_t bytes_of(const std::vector<NewIntent>& intents) {
    std::size_t bytes = 0;
    for (const auto& one : intents)
        bytes += one.intent.data.size();
    return bytes;
}

}  // namespace

/// One caller's pending request. It is shared with the items in progress: the caller may leave before they are written.
struct AcceptQueue::Call {
    Call(const Executor& executor, std::size_t count) : bell(executor), answers(count), open(count) {}

    void answer(std::size_t index, AcceptAnswer one) {
        answers[index] = std::move(one);
        if (--open == 0) bell.notify();
    }
    void fail(AcceptFailure why) {
        // "May have been written" takes precedence over "certainly not written".
        if (!failure || why == AcceptFailure::unknown) failure = why;
        if (--open == 0) bell.notify();
    }

    Wakeup bell;
    std::vector<std::optional<AcceptAnswer>> answers;
    std::optional<AcceptFailure> failure;
    std::size_t open;
};

/// Answers all waiting callers, however run() ends.
class AcceptQueue::Closing {
public:
    explicit Closing(AcceptQueue& queue) : queue_(queue) {}
    ~Closing() { queue_.close(); }
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;

private:
    AcceptQueue& queue_;
};

AcceptQueue::AcceptQueue(const Executor& executor, Dependencies dependencies, AcceptQueueOptions options)
    : executor_(executor),
      dependencies_(std::move(dependencies)),
      options_(options),
      work_(executor) {}

Task<AcceptQueue::Answers> AcceptQueue::accept(std::vector<NewIntent> intents) {
    if (intents.empty()) co_return std::vector<AcceptAnswer>{};
    if (closed_) co_return err(AcceptFailure::unavailable);
    if (!has_room_for(intents)) {
        dependencies_.telemetry.count(Counter::tx_create, "overloaded", intents.size());
        co_return err(AcceptFailure::overloaded);
    }
    if (store_unavailable_ && !in_progress_.empty()) {
        dependencies_.telemetry.count(Counter::tx_create, "store_error", intents.size());
        co_return err(AcceptFailure::unavailable);
    }
    const auto asked_at = dependencies_.clock.monotonic();
    const auto call = std::make_shared<Call>(executor_, intents.size());
    waiting_bytes_ += bytes_of(intents);
    for (std::size_t i = 0; i < intents.size(); ++i)
        waiting_.push_back({std::move(intents[i]), call, i});
    work_.notify();
    co_await wait_for(call);

    if (call->failure) co_return err(*call->failure);
    dependencies_.telemetry.observe(Latency::accept, dependencies_.clock.monotonic() - asked_at);
    std::vector<AcceptAnswer> answers;
    answers.reserve(call->answers.size());
    for (auto& answer : call->answers)
        answers.push_back(*std::move(answer));
    co_return answers;
}

Task<void> AcceptQueue::wait_for(std::shared_ptr<Call> call) {
    const auto timeout = store_unavailable_ ? options_.probe_timeout : options_.timeout;
    const auto deadline = dependencies_.clock.monotonic() + timeout;
    while (call->open > 0 && dependencies_.clock.monotonic() < deadline)
        co_await dependencies_.clock.wait_until(&call->bell, deadline);
    if (call->open > 0) give_up(*call);
}

void AcceptQueue::give_up(Call& call) {
    store_unavailable_ = true;
    bool was_taken_out = false;
    std::erase_if(waiting_, [&](const Item& item) {
        if (item.call.get() != &call) return false;
        waiting_bytes_ -= item.intent.intent.data.size();
        return was_taken_out = true;
    });
    // Some of several intents may have been written; the outcome of the rest is reported as unknown.
    const bool is_whole =
        was_taken_out && call.open == call.answers.size() &&
        std::ranges::none_of(in_progress_, [&](const Item& item) { return item.call.get() == &call; });
    call.failure = is_whole ? AcceptFailure::unavailable : AcceptFailure::unknown;
}

bool AcceptQueue::has_room_for(const std::vector<NewIntent>& intents) const {
    if (waiting_.empty()) return true;
    return waiting_.size() + intents.size() <= options_.max_waiting &&
           waiting_bytes_ + bytes_of(intents) <= options_.max_waiting_bytes;
}

Task<void> AcceptQueue::run() {
    const Closing closing(*this);
    while (true) {
        while (waiting_.empty())
            co_await work_.wait();
        co_await write_batch();
    }
}

Task<void> AcceptQueue::write_batch() {
    const auto count = static_cast<std::ptrdiff_t>(std::min(options_.max_batch, waiting_.size()));
    in_progress_.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(waiting_.begin() + count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    std::vector<NewIntent> intents;
    intents.reserve(in_progress_.size());
    for (const auto& item : in_progress_)
        intents.push_back(item.intent);
    waiting_bytes_ -= bytes_of(intents);

    dependencies_.telemetry.measure(Size::intake_batch, intents.size());
    auto answers = co_await accept_until_known(intents);
    const auto items = std::exchange(in_progress_, {});
    store_unavailable_ = !answers;
    if (!answers) {
        dependencies_.telemetry.count(Counter::tx_create, "store_error", items.size());
        for (const auto& item : items)
            item.call->fail(answers.error());
        co_return;
    }
    wake_lanes(intents, *answers);
    for (std::size_t i = 0; i < items.size(); ++i) {
        dependencies_.telemetry.count(Counter::tx_create, name_of(answers->at(i).kind));
        items[i].call->answer(items[i].index, std::move(answers->at(i)));
    }
}

// The ids make repetition safe: an intent that an earlier try wrote is found, and is new for its caller.
Task<AcceptQueue::Answers> AcceptQueue::accept_until_known(std::vector<NewIntent> intents) {
    bool may_be_written = false;
    for (std::size_t i = 0; i < options_.tries; ++i) {
        if (i > 0) co_await dependencies_.clock.sleep_for(options_.pause);
        auto answers = co_await ask(intents);
        if (answers) {
            for (std::size_t k = 0; k < intents.size(); ++k) {
                auto& answer = answers->at(k);
                const bool is_own = answer.kind == AcceptKind::same_again && answer.id == intents[k].id;
                if (may_be_written && is_own) answer.kind = AcceptKind::accepted;
            }
            co_return *std::move(answers);
        }
        may_be_written = may_be_written || answers.error() == StoreError::unknown_outcome;
        if (!may_be_written) co_return err(AcceptFailure::unavailable);
    }
    co_return err(AcceptFailure::unknown);
}

Task<Result<std::vector<AcceptAnswer>, StoreError>> AcceptQueue::ask(std::vector<NewIntent> intents) {
    auto answers = co_await caught(dependencies_.intake.accept(std::move(intents)));
    if (answers) co_return *std::move(answers);
    dependencies_.log.write(Severity::alert, "Store threw during accept; outcome unknown");
    co_return err(StoreError::unknown_outcome);
}

void AcceptQueue::wake_lanes(const std::vector<NewIntent>& intents, const std::vector<AcceptAnswer>& answers) const {
    std::set<SubmitterId> submitters;
    for (std::size_t i = 0; i < intents.size(); ++i) {
        if (answers.at(i).kind == AcceptKind::accepted) submitters.insert(intents[i].submitter);
    }
    for (const auto& submitter : submitters)
        dependencies_.wake_lane(submitter);
}

void AcceptQueue::close() {
    closed_ = true;
    for (const auto& item : std::exchange(in_progress_, {}))
        item.call->fail(AcceptFailure::unknown);
    for (const auto& item : std::exchange(waiting_, {}))
        item.call->fail(AcceptFailure::unavailable);
}

}  // namespace fencepost::api
