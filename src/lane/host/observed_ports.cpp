#include "lane/host/observed_ports.hpp"

#include <algorithm>

namespace fencepost::lane {
namespace {

constexpr std::size_t intervals_kept = 16;
// Bounds the interval, because block timestamps are not reliable.
constexpr Duration longest_interval = std::chrono::minutes(10);

// Any other answer, even a refusal, came from a working endpoint.
bool was_answered(const SendReport& report) {
    return std::ranges::any_of(report.answers,
                               [](const auto& answer) { return answer.outcome != SendOutcome::unknown; });
}

void note(CallRecord& record, bool works, Instant at) {
    if (works) {
        record.succeeded(at);
    } else {
        record.failed(at);
    }
}

// A refusal counts as an answer: it concerns the transaction, not the signer.
bool does_answer(const Result<SignedTransaction, SignError>& made) {
    return made || made.error().kind == SignError::Kind::refused;
}

}  // namespace

class ObservedChain::Heads final : public HeadStream {
public:
    Heads(ObservedChain& chain, std::unique_ptr<HeadStream> stream) : chain_(chain), stream_(std::move(stream)) {}
    [[nodiscard]] Task<HeadEvent> next() override {
        auto event = co_await stream_->next();
        chain_.record_head(event);
        co_return event;
    }

private:
    ObservedChain& chain_;
    std::unique_ptr<HeadStream> stream_;
};

std::unique_ptr<HeadStream> ObservedChain::heads() { return std::make_unique<Heads>(*this, chain_.heads()); }

void ObservedChain::record_head(const HeadEvent& event) {
    if (event.blocks.empty()) return;
    for (const auto& block : event.blocks) {
        if (last_block_time_ && block->time > *last_block_time_)
            intervals_.push_back(std::min<Duration>(block->time - *last_block_time_, longest_interval));
        last_block_time_ = block->time;
    }
    while (intervals_.size() > intervals_kept)
        intervals_.pop_front();
    record_.head = {.number = event.blocks.back()->ref.number,
                    .at = clock_.monotonic(),
                    .interval = intervals_.empty() ? Duration{} : std::ranges::max(intervals_)};
}

Task<std::vector<SendReport>> ObservedChain::send(SendBatch batch) {
    auto reports = co_await chain_.send(std::move(batch));
    if (!reports.empty()) note(record_.sends, std::ranges::any_of(reports, was_answered), clock_.monotonic());
    co_return reports;
}

Task<RpcResult<AccountCounts>> ObservedChain::counts(SubmitterId submitter) {
    auto counts = co_await chain_.counts(std::move(submitter));
    note(record_.answers, counts.has_value(), clock_.monotonic());
    co_return counts;
}

Task<Result<SignedTransaction, SignError>> ObservedSigner::sign(UnsignedTransaction transaction) {
    const auto submitter = transaction.from;
    auto made = co_await signer_.sign(std::move(transaction));
    note(records_[submitter], does_answer(made), clock_.monotonic());
    co_return made;
}

Task<ConnectorAnswer> ObservedConnector::send(UnsignedTransaction transaction) {
    const auto submitter = transaction.from;
    auto answer = co_await connector_.send(std::move(transaction));
    note(records_[submitter], answer.outcome != SendOutcome::unknown, clock_.monotonic());
    co_return answer;
}

}  // namespace fencepost::lane
