// What one node still has to send to one endpoint for one account: one batch at a time, in the order of submission;
// where a send waits for its block, single transactions side by side. A refusal cancels the queued transactions with
// higher nonces (see the guarantees of Chain).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/async/wakeup.hpp"
#include "ports/chain.hpp"
#include "sim/chain/sim_network.hpp"

namespace fencepost::sim {

/// One call of send(): the answers so far. Shared with the pending answers.
class SimSendCall {
public:
    SimSendCall(const fencepost::Executor& executor, std::size_t transactions, std::size_t endpoints)
        : bell(executor),
          reports(transactions),
          unanswered_(transactions * endpoints) {}

    /// Every transaction is held by an endpoint, or every endpoint has answered.
    [[nodiscard]] bool is_over() const { return unanswered_ == 0 || unheld_ == 0; }
    void add_answer(std::size_t index, const std::string& endpoint, Verdict verdict);

    Wakeup bell;
    std::vector<SendReport> reports;

private:
    std::size_t unanswered_;
    std::size_t unheld_ = reports.size();
};

class SimSendQueue : public std::enable_shared_from_this<SimSendQueue> {
public:
    SimSendQueue(SimNode& node, SimNetwork& network, SimEndpoint& endpoint, Duration time_limit)
        : node_(node),
          network_(network),
          endpoint_(endpoint),
          time_limit_(time_limit) {}

    struct Item {
        std::shared_ptr<SimSendCall> call;
        std::size_t index;
        Nonce nonce;
        WireTx transaction;
        std::function<bool(Nonce, const TxHash&)> may_still_send;
    };

    void put(Item item) { waiting_.push_back(std::move(item)); }
    /// Sends as much as may be in transit now.
    void send_next();

private:
    [[nodiscard]] std::vector<Item> next_batch(std::size_t most);
    void send(std::vector<Item> items);
    void add_answer(std::vector<Item> batch, std::vector<Verdict> verdicts);
    void drop_above(Nonce nonce);

    SimNode& node_;
    SimNetwork& network_;
    SimEndpoint& endpoint_;
    Duration time_limit_;
    std::deque<Item> waiting_;
    std::uint64_t batches_ = 0;
    /// Batches in transit. An answer to a batch that timed out is recognized and ignored.
    std::set<std::uint64_t> in_transit_;
};

}  // namespace fencepost::sim
