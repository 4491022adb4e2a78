#include "sim/chain/sim_connector.hpp"

#include <memory>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/async/wakeup.hpp"

namespace fencepost::sim {
namespace {

constexpr Duration one_way = std::chrono::milliseconds(10);

// Shared with the answer, which may come after the caller has stopped waiting.
struct Waiting {
    explicit Waiting(const fencepost::Executor& executor) : bell(executor) {}
    Wakeup bell;
    std::optional<ConnectorAnswer> answer;
};

RpcError no_answer() { return {RpcError::Kind::timed_out, "the connector does not answer"}; }

}  // namespace

SimKeyHolder::SimKeyHolder(SimNetwork& network, SimSigner& signer, std::uint64_t seed)
    : network_(network),
      signer_(signer),
      random_(seed) {}

ConnectorFault SimKeyHolder::next_fault() {
    if (!script_.empty()) {
        const auto fault = script_.front();
        script_.pop_front();
        return fault;
    }
    auto drawn = random_.below(1'000);
    for (const auto& [rate, fault] : {std::pair(rates_.requests_lost, ConnectorFault::request_lost),
                                      std::pair(rates_.answers_lost, ConnectorFault::answer_lost),
                                      std::pair(rates_.unacknowledged_sends, ConnectorFault::unacknowledged_send)}) {
        if (drawn < rate) return fault;
        drawn -= rate;
    }
    return ConnectorFault::none;
}

// On the network's process: a request in transit still arrives when the node is dead.
void SimKeyHolder::after(Duration delay, std::function<void()> action) {
    network_.process().set_timer(network_.world().now() + delay,
                                 [action = std::move(action)](boost::system::error_code /*never*/) { action(); });
}

void SimKeyHolder::ask(const std::string& node, const UnsignedTransaction& transaction, Answer answer) {
    if (watch_) watch_(node, transaction);
    asked_.push_back(transaction);
    const auto fault = next_fault();
    if (fault == ConnectorFault::request_lost) return;
    after(one_way, [this, transaction, fault, answer = std::move(answer)] {
        auto said = sign_and_send(transaction, fault);
        if (fault == ConnectorFault::answer_lost) return;
        after(one_way, [said = std::move(said), answer] { answer(said); });
    });
}

ConnectorAnswer SimKeyHolder::sign_and_send(const UnsignedTransaction& transaction, ConnectorFault fault) {
    if (fault == ConnectorFault::refused) return {.outcome = SendOutcome::pool_full, .message = "txpool is full"};
    const auto made = signer_.sign_now(transaction);
    const auto verdict = network_.inject(made.raw);
    if (is_held(verdict.outcome)) sent_[{transaction.from, transaction.nonce}] = made.hash;
    const bool told = verdict.outcome == SendOutcome::accepted && fault != ConnectorFault::unacknowledged_send;
    if (told) return {.outcome = SendOutcome::accepted, .hash = made.hash};
    // As nodes do: a transaction they already have is an error without a hash.
    if (is_held(verdict.outcome)) return {.outcome = SendOutcome::already_known, .message = "already known"};
    return {.outcome = verdict.outcome, .message = verdict.message};
}

std::optional<TxHash> SimKeyHolder::hash_of(const UnsignedTransaction& transaction) {
    if (unresponsive_) return std::nullopt;
    return signer_.sign_now(transaction).hash;
}

RpcResult<std::optional<TxHash>> SimKeyHolder::sent_at(const SubmitterId& submitter, Nonce nonce) const {
    if (unresponsive_) return err(no_answer());
    const auto found = sent_.find({submitter, nonce});
    return found == sent_.end() ? std::nullopt : std::optional(found->second);
}

SimConnector::SimConnector(SimNode& node, SimKeyHolder& holder, Duration time_limit)
    : node_(node),
      holder_(holder),
      clock_(node),
      time_limit_(time_limit) {}

Task<ConnectorAnswer> SimConnector::send(UnsignedTransaction transaction) {
    const fencepost::Executor executor(node_.executor());
    const auto waiting = std::make_shared<Waiting>(executor);
    // A dead node's executor drops the answer.
    holder_.ask(node_.name(), transaction, [executor, waiting](ConnectorAnswer answer) {
        asio::post(executor, [waiting, answer = std::move(answer)]() mutable {
            waiting->answer = std::move(answer);
            waiting->bell.notify();
        });
    });
    const auto end = clock_.monotonic() + time_limit_;
    while (!waiting->answer && clock_.monotonic() < end)
        co_await clock_.wait_until(&waiting->bell, end);
    co_return waiting->answer.value_or(ConnectorAnswer{.message = "timed out"});
}

Task<RpcResult<TxHash>> SimConnector::hash_of(UnsignedTransaction transaction) {
    co_await clock_.sleep_for(2 * one_way);
    const auto hash = holder_.hash_of(transaction);
    if (!hash) co_return err(no_answer());
    co_return *hash;
}

Task<RpcResult<std::optional<TxHash>>> SimConnector::sent_at(SubmitterId submitter, Nonce nonce) {
    co_await clock_.sleep_for(2 * one_way);
    co_return holder_.sent_at(submitter, nonce);
}

// Here equal fields always give equal bytes, and different fields never do.
Task<RpcResult<bool>> SimConnector::is_same(TxHash hash, UnsignedTransaction transaction) {
    co_await clock_.sleep_for(2 * one_way);
    const auto made = holder_.hash_of(transaction);
    if (!made) co_return err(no_answer());
    co_return *made == hash;
}

}  // namespace fencepost::sim
