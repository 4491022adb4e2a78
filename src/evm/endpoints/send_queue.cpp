// Batches of one account in order, blocking sends, and their tickets.
#include "evm/endpoints/send_queue.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/async/cancellation.hpp"
#include "base/crypto/keccak.hpp"
#include "evm/errors/send_errors.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {
namespace {

using jsonrpc::Answer;
using jsonrpc::Failure;

constexpr std::size_t max_batch_size = 64;
// Signed bytes; the hexadecimal form is twice as long. Nodes refuse requests of a few megabytes.
constexpr std::size_t max_batch_bytes = std::size_t{512} * 1024;
constexpr std::size_t max_concurrent = 16;

constexpr Duration quick = std::chrono::milliseconds(100);
constexpr std::size_t batches_to_learn = 2;
constexpr std::size_t singles_to_reset = 64;

constexpr const char* stopping = "not sent: shutting down";

// The endpoint does not hold the transaction, so higher nonces could only be queued behind a gap. An endpoint that did
// not answer may be down: the rest would wait for its timeout as well.
bool leaves_gap(SendOutcome outcome) {
    return !is_held(outcome) && outcome != SendOutcome::nonce_too_low &&
           outcome != SendOutcome::replacement_underpriced;
}

bool is_answered(const Answer& answer) {
    const auto* failure = answer ? nullptr : std::get_if<Failure>(&answer.error());
    return failure == nullptr;
}

// Where sends block, a batch of many always runs into its time limit.
bool is_timed_out(const Answer& answer) {
    const auto* failure = answer ? nullptr : std::get_if<Failure>(&answer.error());
    return failure != nullptr && failure->kind == Failure::Kind::timed_out;
}

}  // namespace

SendCall::SendCall(const Executor& executor, SendBatch batch, std::vector<std::string> endpoints)
    : bell(executor),
      batch_(std::move(batch)),
      endpoints_(std::move(endpoints)),
      reports_(batch_.items.size()),
      outstanding_(batch_.items.size() * endpoints_.size()),
      not_held_(batch_.items.size()) {
    for (const auto& item : batch_.items)
        hashes_.push_back(TxHash{keccak256(item.raw)});
}

jsonrpc::Request SendCall::request(std::size_t index) const {
    return {"eth_sendRawTransaction", {write_data(batch_.items[index].raw)}};
}

bool SendCall::may_still_send(std::size_t index) const {
    return !batch_.may_still_send || batch_.may_still_send(nonce(index), hash(index));
}

void SendCall::take(std::size_t index, SendReport::Answer answer) {
    auto& answers = reports_[index].answers;
    const auto held = [](const SendReport::Answer& each) { return is_held(each.outcome); };
    if (held(answer) && std::ranges::none_of(answers, held)) --not_held_;
    answers.push_back(std::move(answer));
    --outstanding_;
    if (is_over()) bell.notify();
}

std::vector<SendReport> SendCall::reports(std::string_view of_the_others) const {
    auto result = reports_;
    for (auto& [answers] : result) {
        for (const auto& name : endpoints_) {
            if (std::ranges::find(answers, name, &SendReport::Answer::endpoint) != answers.end()) continue;
            answers.push_back({name, SendOutcome::unknown, std::string(of_the_others)});
        }
    }
    return result;
}

SendTicket::~SendTicket() {
    if (call_) give({endpoint_, SendOutcome::unknown, stopping});
}

SendOutcome SendTicket::answer(const Answer& answer) {
    auto report = report_of(endpoint_, call_->hash(index_), answer);
    const auto outcome = report.outcome;
    give(std::move(report));
    return outcome;
}

void SendTicket::not_sent(std::string why) { give({endpoint_, SendOutcome::not_sent, std::move(why)}); }

void SendTicket::give(SendReport::Answer answer) { std::exchange(call_, nullptr)->take(index_, std::move(answer)); }

bool SendPace::took(Duration took, std::size_t items, std::optional<Duration> read_latency) {
    // An endpoint that is slow with everything proves nothing, and a single send may have waited for a connection.
    const bool tells = blocking_ ? items == 1 : items > 1;
    if (!tells || !read_latency || *read_latency > quick) return false;
    const bool blocks = (took - *read_latency) / static_cast<std::int64_t>(items) > quick;
    evidence_count_ = blocks == blocking_ ? 0 : evidence_count_ + 1;
    if (evidence_count_ < (blocking_ ? singles_to_reset : batches_to_learn)) return false;
    blocking_ = !blocking_;
    evidence_count_ = 0;
    return true;
}

SendQueues::SendQueues(Executor executor, Clock& clock, Log& log, Endpoint& endpoint, TaskGroup& background,
                       Duration time_limit)
    : executor_(std::move(executor)),
      clock_(clock),
      log_(log),
      endpoint_(endpoint),
      background_(background),
      time_limit_(time_limit) {}

void SendQueues::Queue::cancel_above(Nonce nonce) {
    std::deque<Waiting> kept;
    for (auto& each : waiting) {
        if (each.ticket.nonce() > nonce) {
            each.ticket.not_sent("a lower nonce was refused");
        } else {
            kept.push_back(std::move(each));
        }
    }
    waiting.swap(kept);
}

// Drops a queue when it is empty or must stop. The tickets of what still waits answer for themselves.
class SendQueues::Draining {
public:
    Draining(const std::shared_ptr<Queues>& queues, SubmitterId from) : queues_(queues), from_(std::move(from)) {}
    ~Draining() {
        const auto queues = queues_.lock();
        if (!queues) return;
        const auto mine = queues->extract(from_);
        if (!mine.empty()) mine.mapped()->waiting.clear();
    }
    Draining(const Draining&) = delete;
    Draining& operator=(const Draining&) = delete;

private:
    std::weak_ptr<Queues> queues_;
    SubmitterId from_;
};

void SendQueues::put(const SubmitterId& from, const std::shared_ptr<SendCall>& call, Terms terms) {
    auto& queue = (*queues_)[from];
    const bool is_new = !queue;
    if (is_new) queue = std::make_shared<Queue>(executor_);
    for (std::size_t i = 0; i < call->size(); ++i)
        queue->waiting.push_back({SendTicket(call, i, endpoint_.name()), terms});
    if (is_new) {
        background_.spawn(drain(from, queue));
    } else {
        queue->bell.notify();
    }
}

Task<void> SendQueues::drain(SubmitterId from, std::shared_ptr<Queue> queue) {
    const Draining until_empty(queues_, from);
    while (!queue->waiting.empty() || queue->in_flight > 0) {
        const auto most = pace_.is_blocking() ? max_concurrent : 1;
        if (queue->waiting.empty() || queue->in_flight >= most) {
            co_await clock_.wait_until(&queue->bell, Instant::max());
            continue;
        }
        const auto [not_before, allow_quarantined] = queue->waiting.front().terms;
        if (not_before > clock_.monotonic()) co_await clock_.sleep_until(not_before);
        // No limit: only senders wait for it.
        auto admission = co_await endpoint_.admit(Purpose::send, Instant::max(), time_limit_, allow_quarantined);
        co_await throw_if_cancelled();
        auto tickets = next(*queue);
        if (tickets.empty()) continue;
        if (pace_.is_blocking() && !admission.refused) {
            ++queue->in_flight;
            background_.spawn(send_concurrently(queue, std::move(tickets), std::move(admission)));
        } else {
            co_await send(queue, std::move(tickets), std::move(admission));
        }
    }
}

SendQueues::Tickets SendQueues::next(Queue& queue) const {
    const auto most = pace_.is_blocking() ? 1 : std::min(max_batch_size, endpoint_.max_batch());
    Tickets tickets;
    std::size_t bytes = 0;
    while (!queue.waiting.empty() && tickets.size() < most) {
        auto& front = queue.waiting.front().ticket;
        if (!front.may_still_send()) {
            front.not_sent("permission to send was withdrawn");
            queue.waiting.pop_front();
            continue;
        }
        bytes += front.bytes();
        if (!tickets.empty() && bytes > max_batch_bytes) break;
        tickets.push_back(std::move(front));
        queue.waiting.pop_front();
    }
    return tickets;
}

Task<void> SendQueues::send(std::shared_ptr<Queue> queue, Tickets tickets, Admission admission) {
    if (admission.refused) {
        const std::vector<Answer> answers(tickets.size(), err(jsonrpc::Error(*admission.refused)));
        take(*queue, std::move(tickets), answers);
        co_return;
    }
    std::vector<jsonrpc::Request> batch;
    batch.reserve(tickets.size());
    for (const auto& ticket : tickets)
        batch.push_back(ticket.request());
    const auto begun = clock_.monotonic();
    const auto answers = co_await endpoint_.ask(std::move(batch), time_limit_, Purpose::send);
    measure(clock_.monotonic() - begun, tickets.size(), answers);
    take(*queue, std::move(tickets), answers);
}

Task<void> SendQueues::send_concurrently(std::shared_ptr<Queue> queue, Tickets tickets, Admission admission) {
    struct InFlight {
        Queue& queue;
        ~InFlight() {
            --queue.in_flight;
            queue.bell.notify();
        }
    };
    const InFlight until_answered{*queue};
    co_await send(queue, std::move(tickets), std::move(admission));
}

void SendQueues::measure(Duration took, std::size_t items, const std::vector<Answer>& answers) {
    if (!std::ranges::all_of(answers, is_answered) && !std::ranges::all_of(answers, is_timed_out)) return;
    if (!pace_.took(took, items, endpoint_.health().latency())) return;
    const auto each = std::chrono::duration_cast<std::chrono::milliseconds>(took).count() / std::ssize(answers);
    log_.write(Severity::info, pace_.is_blocking() ? "Sends block at endpoint" : "Sends no longer block at endpoint",
               {{"endpoint", endpoint_.name()}, {"ms_per_transaction", fmt::format("{}", each)}});
}

void SendQueues::take(Queue& queue, Tickets tickets, const std::vector<Answer>& answers) {
    std::optional<Nonce> hole;
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const auto nonce = tickets[i].nonce();
        if (leaves_gap(tickets[i].answer(answers[i]))) hole = std::min(hole.value_or(nonce), nonce);
    }
    if (hole) queue.cancel_above(*hole);
}

}  // namespace fencepost::evm
