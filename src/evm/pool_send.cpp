// Sends through a pool. The same bytes to every endpoint: any of them may be cut off from the rest of the world, and
// sending twice costs nothing, since the hash is the same.
#include <algorithm>

#include "base/hex.hpp"
#include "base/keccak.hpp"
#include "base/wakeup.hpp"
#include "evm/endpoint_pool.hpp"
#include "evm/json_values.hpp"
#include "evm/send_errors.hpp"

namespace fencepost::evm {

// Lives as long as the last endpoint is still to answer, longer than the call that began it.
struct EndpointPool::Sending {
    Sending(const Executor& executor, const std::vector<Bytes>& raws, std::size_t endpoints, Instant deadline_in)
        : deadline(deadline_in),
          outstanding(endpoints),
          reports(raws.size()),
          bell(executor) {
        for (const auto& raw : raws) {
            hashes.push_back(TxHash{keccak256(raw)});
            batch.push_back({"eth_sendRawTransaction", {write_data(raw)}});
        }
    }

    [[nodiscard]] bool is_done() const {
        return outstanding == 0 || std::ranges::all_of(reports, [](const SendReport& report) {
                   return std::ranges::any_of(report.answers, [](const auto& a) { return is_held(a.outcome); });
               });
    }

    void add(const std::string& endpoint, const std::vector<Answer>& answers) {
        for (std::size_t i = 0; i < answers.size(); ++i)
            reports[i].answers.push_back(report_of(endpoint, hashes[i], answers[i]));
        --outstanding;
        bell.ring();
    }

    /// What was heard so far. Who has not answered is named all the same: it may have the transaction.
    [[nodiscard]] std::vector<SendReport> told(std::string_view of_the_others, const std::vector<Target>& to) const {
        auto result = reports;
        for (auto& report : result) {
            for (const auto& target : to) {
                const auto& name = target.endpoint->name();
                if (std::ranges::any_of(report.answers, [&](const auto& a) { return a.endpoint == name; })) continue;
                report.answers.push_back({name, SendOutcome::unknown, std::string(of_the_others)});
            }
        }
        return result;
    }

    Instant deadline;
    std::size_t outstanding;
    std::vector<TxHash> hashes{};
    std::vector<Request> batch{};
    std::vector<SendReport> reports;
    Wakeup bell;
};

Task<std::vector<SendReport>> EndpointPool::send(std::vector<Bytes> raws) {
    if (raws.empty()) co_return std::vector<SendReport>{};
    const auto deadline = clock_.monotonic() + options_.time_limit;
    const auto to = targets(deadline);
    const auto sending = std::make_shared<Sending>(executor_, raws, to.size(), deadline);
    // Without run() nobody would own the answers that come late: then nothing is sent.
    if (!running_) co_return sending->told("nothing is sent any more: we are stopping", to);
    for (const auto& target : to)
        beside_.spawn(send_to(target, sending));
    while (!sending->is_done() && clock_.monotonic() < deadline)
        co_await clock_.wait_until(&sending->bell, deadline);
    co_return sending->told("has not answered yet", to);
}

Task<void> EndpointPool::send_to(Target target, std::shared_ptr<Sending> sending) {
    if (target.not_before > clock_.monotonic()) co_await clock_.sleep_until(target.not_before);
    const auto answers = co_await target.endpoint->call(sending->batch, sending->deadline, target.insist);
    sending->add(target.endpoint->name(), answers);
}

}  // namespace fencepost::evm
