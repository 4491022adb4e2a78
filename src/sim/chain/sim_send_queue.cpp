#include "sim/chain/sim_send_queue.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/post.hpp>

namespace fencepost::sim {
namespace {

constexpr std::size_t most_in_batch = 64;
constexpr std::size_t most_single_sends = 16;

// The endpoint does not hold this transaction now, so higher nonces could only be queued out of order. An endpoint that
// did not answer may be down: higher ones would have to wait for its time-out, too.
bool leaves_gap(SendOutcome outcome) {
    return !is_held(outcome) && outcome != SendOutcome::nonce_too_low &&
           outcome != SendOutcome::replacement_underpriced;
}

bool is_held(const SendReport& report) {
    return std::ranges::any_of(report.answers, [](const auto& answer) { return fencepost::is_held(answer.outcome); });
}

}  // namespace

void SimSendCall::add_answer(std::size_t index, const std::string& endpoint, Verdict verdict) {
    auto& report = reports[index];
    const bool was_held = sim::is_held(report);
    report.answers.push_back({endpoint, verdict.outcome, std::move(verdict.message), verdict.min_tip});
    --unanswered_;
    if (!was_held && fencepost::is_held(verdict.outcome)) --unheld_;
    if (is_over()) bell.notify();
}

std::vector<SimSendQueue::Item> SimSendQueue::next_batch(std::size_t most) {
    std::vector<Item> batch;
    while (!waiting_.empty() && batch.size() < most) {
        auto item = std::move(waiting_.front());
        waiting_.pop_front();
        if (!item.may_still_send || item.may_still_send(item.nonce, item.transaction.hash)) {
            batch.push_back(std::move(item));
        } else {
            item.call->add_answer(item.index, endpoint_.name(),
                                  {SendOutcome::not_sent, "permission to send was withdrawn"});
        }
    }
    return batch;
}

void SimSendQueue::send_next() {
    const bool waits_for_blocks = endpoint_.options().destination == Destination::blocks;
    while (in_transit_.size() < (waits_for_blocks ? most_single_sends : 1)) {
        auto items = next_batch(waits_for_blocks ? 1 : most_in_batch);
        if (items.empty()) return;
        send(std::move(items));
    }
}

void SimSendQueue::send(std::vector<Item> items) {
    const auto number = ++batches_;
    in_transit_.insert(number);
    const auto batch = std::make_shared<std::vector<Item>>(std::move(items));
    std::vector<WireTx> transactions;
    std::ranges::transform(*batch, std::back_inserter(transactions), &Item::transaction);
    // Called once: by the answer, or by the time-out.
    auto complete = [self = shared_from_this(), batch, number](std::vector<Verdict> verdicts) {
        if (self->in_transit_.erase(number) > 0) self->add_answer(std::move(*batch), std::move(verdicts));
    };
    node_.set_timer(network_.world().now() + time_limit_,
                    [complete, size = batch->size()](boost::system::error_code error) {
                        if (!error) complete(std::vector(size, Verdict{SendOutcome::unknown, "timed out"}));
                    });
    // A dead node's executor drops the answer.
    network_.transmit(node_.name(), endpoint_, std::move(transactions),
                      [executor = fencepost::Executor(node_.executor()), complete](std::vector<Verdict> verdicts) {
                          asio::post(executor, [complete, verdicts = std::move(verdicts)]() mutable {
                              complete(std::move(verdicts));
                          });
                      });
}

void SimSendQueue::add_answer(std::vector<Item> batch, std::vector<Verdict> verdicts) {
    std::optional<Nonce> gap;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (!gap && leaves_gap(verdicts[i].outcome)) gap = batch[i].nonce;
        batch[i].call->add_answer(batch[i].index, endpoint_.name(), std::move(verdicts[i]));
    }
    if (gap) drop_above(*gap);
    send_next();
}

void SimSendQueue::drop_above(Nonce nonce) {
    std::deque<Item> kept;
    for (auto& item : waiting_) {
        if (item.nonce > nonce) {
            item.call->add_answer(item.index, endpoint_.name(), {SendOutcome::not_sent, "a lower nonce was refused"});
        } else {
            kept.push_back(std::move(item));
        }
    }
    waiting_ = std::move(kept);
}

}  // namespace fencepost::sim
