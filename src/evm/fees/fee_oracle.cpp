// One market request per block, shared by concurrent callers.
#include "evm/fees/fee_oracle.hpp"

#include <algorithm>
#include <list>
#include <utility>

#include "base/assert.hpp"
#include "base/async/wakeup.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

RpcResult<Fees> pick(const RpcResult<FeeQuote>& quote, Speed speed) {
    if (!quote) return err(quote.error());
    return quote->at(speed);
}

RpcResult<FeeQuote> fitting(std::optional<FeeQuote> quote) {
    if (!quote) return err(RpcError{RpcError::Kind::malformed, "fees exceed 256 bits"});
    return *quote;
}

}  // namespace

// One request for market fees and the callers that wait for it.
struct FeeOracle::Round {
    std::optional<RpcResult<FeeQuote>> result;
    std::list<Wakeup*> waiting;
};

// Separate from the oracle: a task destroyed while suspended (a simulated crash) may outlive it.
struct FeeOracle::State {
    std::optional<BlockHash> head;
    std::optional<FeeQuote> known;
    std::shared_ptr<Round> round;
};

// The caller that makes the request for all. If it is cancelled, the others wake up without a result and one of them
// asks again.
class FeeOracle::Leader {
public:
    explicit Leader(std::shared_ptr<State> state) : state_(std::move(state)), round_(std::make_shared<Round>()) {
        state_->round = round_;
    }
    ~Leader() {
        if (state_->round == round_) state_->round.reset();
        for (auto* bell : round_->waiting)
            bell->notify();
    }
    Leader(const Leader&) = delete;
    Leader& operator=(const Leader&) = delete;

    void finish(const RpcResult<FeeQuote>& result) {
        round_->result = result;
        if (result && state_->head && state_->round == round_) state_->known = *result;
    }

private:
    std::shared_ptr<State> state_;
    std::shared_ptr<Round> round_;
};

class FeeOracle::Follower {
public:
    Follower(Round& round, Wakeup& bell) : round_(round), place_(round.waiting.insert(round.waiting.end(), &bell)) {}
    ~Follower() { round_.waiting.erase(place_); }
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

private:
    Round& round_;
    std::list<Wakeup*>::iterator place_;
};

FeeOracle::FeeOracle(Rpc& rpc, const FeeOptions& options)
    : rpc_(rpc),
      options_(options),
      state_(std::make_shared<State>()) {
    FP_ASSERT(std::ranges::is_sorted(options_.percentiles) && options_.percentiles.back() <= 100);
}
FeeOracle::~FeeOracle() = default;

Task<RpcResult<Fees>> FeeOracle::fees(Speed speed) {
    for (;;) {
        if (state_->known) co_return state_->known->at(speed);
        if (!state_->round) {
            Leader lead(state_);
            const auto quote = co_await ask();
            lead.finish(quote);
            co_return pick(quote, speed);
        }
        const auto round = state_->round;
        Wakeup bell(co_await asio::this_coro::executor);
        const Follower seat(*round, bell);
        co_await bell.wait();
        if (round->result) co_return pick(*round->result, speed);
    }
}

void FeeOracle::on_head(const BlockRef& head) {
    if (state_->head == head.hash) return;
    *state_ = {.head = head.hash, .known = {}, .round = {}};
}

Task<RpcResult<FeeQuote>> FeeOracle::ask() {
    switch (options_.kind) {
        case FeeOptions::Kind::eip1559:
            co_return co_await ask_eip1559();
        case FeeOptions::Kind::legacy:
            co_return co_await ask_legacy();
        case FeeOptions::Kind::fixed:
            co_return fixed_quote(options_);
    }
    FP_UNREACHABLE();
}

Task<RpcResult<FeeQuote>> FeeOracle::ask_eip1559() {
    boost::json::array percentiles;
    for (const auto percentile : options_.percentiles)
        percentiles.emplace_back(percentile);
    std::vector<Request> batch{
        {"eth_feeHistory", {write_quantity(options_.history_blocks), write_tag(At::latest), std::move(percentiles)}},
        {"eth_getBlockByNumber", {write_tag(At::latest), false}}};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{});
    FP_ASSERT(answers.size() == 2);
    const auto head = read_answer(answers[1], read_block);
    if (!head) co_return err(head.error());
    if (*head && !(*head)->base_fee) co_return co_await ask_legacy();
    const auto history = read_answer(answers[0], read_fee_history);
    if (!history && history.error().kind == RpcError::Kind::unsupported) co_return co_await ask_legacy();
    if (!history) co_return err(history.error());
    co_return fitting(quote_of(*history, options_));
}

Task<RpcResult<FeeQuote>> FeeOracle::ask_legacy() {
    std::vector<Request> batch{{"eth_gasPrice", {}}};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{});
    FP_ASSERT(answers.size() == 1);
    const auto price = read_answer(answers.front(), read_quantity, "gasPrice");
    if (!price) co_return err(price.error());
    co_return fitting(quote_of(*price, options_));
}

}  // namespace fencepost::evm
