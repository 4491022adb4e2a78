// A send goes to every endpoint at once and is over when each transaction is held by one of them.
#include <algorithm>
#include <memory>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/wakeup.hpp"
#include "sim/chain/sim_chain.hpp"

namespace fencepost::sim {
namespace {

// What has come back so far. Shared with the answers that are under way: they may come after everybody has left.
struct SendCall {
    SendCall(const fencepost::Executor& executor, std::size_t transactions) : bell(executor), reports(transactions) {}

    [[nodiscard]] bool is_over() const {
        const auto held = [](const SendReport& report) {
            return std::ranges::any_of(report.answers, [](const auto& answer) { return is_held(answer.outcome); });
        };
        return unanswered.empty() || std::ranges::all_of(reports, held);
    }

    void take(const std::string& endpoint, std::vector<Verdict> verdicts) {
        if (std::erase(unanswered, endpoint) == 0) return;
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            reports[i].answers.push_back({endpoint, verdicts[i].outcome, std::move(verdicts[i].message)});
        bell.ring();
    }

    void give_up() {
        const std::size_t count = reports.size();
        for (const auto& endpoint : std::vector(unanswered))
            take(endpoint, std::vector(count, Verdict{SendOutcome::unknown, "timed out"}));
    }

    Wakeup bell;
    std::vector<SendReport> reports;
    std::vector<std::string> unanswered;
};

}  // namespace

Task<std::vector<SendReport>> SimChain::send(std::vector<Bytes> raws) {
    const fencepost::Executor executor(node_.executor());
    const auto call = std::make_shared<SendCall>(executor, raws.size());
    std::vector<WireTx> transactions;
    transactions.reserve(raws.size());
    for (const auto& raw : raws)
        transactions.push_back(network_.ledger().cache().decode(raw));
    for (const auto& endpoint : network_.endpoints())
        call->unanswered.push_back(endpoint->name());
    for (const auto& endpoint : network_.endpoints()) {
        // A dead node's executor drops the answer.
        auto answer = [executor, call, name = endpoint->name()](std::vector<Verdict> verdicts) {
            asio::post(executor, [call, name, verdicts = std::move(verdicts)]() mutable {
                call->take(name, std::move(verdicts));
            });
        };
        network_.transmit(node_.name(), *endpoint, transactions, std::move(answer));
    }
    const Instant end = deadline();
    while (!call->is_over() && clock_.monotonic() < end)
        co_await clock_.wait_until(&call->bell, end);
    if (!call->is_over()) call->give_up();
    co_return call->reports;
}

}  // namespace fencepost::sim
