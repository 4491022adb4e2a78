// Sends to one endpoint for one account, in submission order, one batch at a time. A refusal cancels the higher nonces
// that were submitted before it was known (see the contract of Chain). Time spent in this queue does not count as the
// endpoint's (failure 78).
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "evm/endpoints/endpoint.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

/// One call of send() with the answers so far. The queues keep it until the last answer is in, which may be after the
/// call has returned.
class SendCall {
public:
    SendCall(const Executor& executor, SendBatch batch, std::vector<std::string> endpoints);

    [[nodiscard]] std::size_t size() const { return batch_.items.size(); }
    [[nodiscard]] Nonce nonce(std::size_t index) const { return batch_.items[index].nonce; }
    [[nodiscard]] std::size_t bytes(std::size_t index) const { return batch_.items[index].raw.size(); }
    [[nodiscard]] const TxHash& hash(std::size_t index) const { return hashes_[index]; }
    [[nodiscard]] jsonrpc::Request request(std::size_t index) const;
    [[nodiscard]] bool may_still_send(std::size_t index) const;

    void take(std::size_t index, SendReport::Answer answer);
    /// Some endpoint holds each transaction, or every endpoint has answered.
    [[nodiscard]] bool is_over() const { return outstanding_ == 0 || not_held_ == 0; }
    /// The answers so far. Endpoints that have not answered are listed as well: they may have the transaction.
    [[nodiscard]] std::vector<SendReport> reports(std::string_view of_the_others) const;

    Wakeup bell;

private:
    SendBatch batch_;
    std::vector<TxHash> hashes_{};
    std::vector<std::string> endpoints_;
    std::vector<SendReport> reports_;
    std::size_t outstanding_;
    std::size_t not_held_;
};

/// The obligation to answer once for one transaction at one endpoint. Destroying it answers that we are shutting down.
class SendTicket {
public:
    SendTicket(std::shared_ptr<SendCall> call, std::size_t index, std::string endpoint)
        : call_(std::move(call)),
          index_(index),
          endpoint_(std::move(endpoint)) {}
    ~SendTicket();
    SendTicket(SendTicket&&) = default;
    SendTicket& operator=(SendTicket&&) = delete;
    SendTicket(const SendTicket&) = delete;
    SendTicket& operator=(const SendTicket&) = delete;

    [[nodiscard]] Nonce nonce() const { return call_->nonce(index_); }
    [[nodiscard]] std::size_t bytes() const { return call_->bytes(index_); }
    [[nodiscard]] jsonrpc::Request request() const { return call_->request(index_); }
    [[nodiscard]] bool may_still_send() const { return call_->may_still_send(index_); }
    /// Returns the outcome as recorded in the report.
    SendOutcome answer(const jsonrpc::Answer& answer);
    void not_sent(std::string why);

private:
    void give(SendReport::Answer answer);

    std::shared_ptr<SendCall> call_;
    std::size_t index_;
    std::string endpoint_;
};

/// Whether an endpoint answers a send only once the transaction is in a block, as Arbitrum's sequencer does. Measured:
/// such an endpoint processes a batch one by one, so the batch takes one block per transaction.
class SendPace {
public:
    /// Duration of a batch of several, or of a single send. True: the pace has changed.
    bool took(Duration took, std::size_t items, std::optional<Duration> read_latency);
    [[nodiscard]] bool is_blocking() const { return blocking_; }

private:
    bool blocking_ = false;
    /// consecutive measurements for the other pace
    std::size_t evidence_count_ = 0;
};

/// All queues to one endpoint. Empty queues are dropped: a node may have thousands of submitters.
class SendQueues {
public:
    /// `background` owns the tasks in flight.
    SendQueues(Executor executor, Clock& clock, Log& log, Endpoint& endpoint, TaskGroup& background,
               Duration time_limit);

    /// When a transaction may leave at the earliest, and whether also to an endpoint that is out of service.
    struct Terms {
        Instant not_before{};
        AllowQuarantined allow_quarantined = AllowQuarantined::no;
    };
    /// Only while `background` is not cancelled.
    void put(const SubmitterId& from, const std::shared_ptr<SendCall>& call, Terms terms);

    [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
    /// Number of accounts with queued or in-flight sends.
    [[nodiscard]] std::size_t size() const { return queues_->size(); }

private:
    struct Waiting {
        SendTicket ticket;
        Terms terms;
    };
    using Tickets = std::vector<SendTicket>;
    struct Queue {
        explicit Queue(const Executor& executor) : bell(executor) {}
        void cancel_above(Nonce nonce);

        std::deque<Waiting> waiting{};
        std::size_t in_flight = 0;  // requests
        Wakeup bell;
    };
    using Queues = std::map<SubmitterId, std::shared_ptr<Queue>>;
    class Draining;

    [[nodiscard]] Task<void> drain(SubmitterId from, std::shared_ptr<Queue> queue);
    [[nodiscard]] Task<void> send(std::shared_ptr<Queue> queue, Tickets tickets, Admission admission);
    [[nodiscard]] Task<void> send_concurrently(std::shared_ptr<Queue> queue, Tickets tickets, Admission admission);
    [[nodiscard]] Tickets next(Queue& queue) const;
    void measure(Duration took, std::size_t items, const std::vector<jsonrpc::Answer>& answers);
    static void take(Queue& queue, Tickets tickets, const std::vector<jsonrpc::Answer>& answers);

    Executor executor_;
    Clock& clock_;
    Log& log_;
    Endpoint& endpoint_;
    TaskGroup& background_;
    Duration time_limit_;
    SendPace pace_{};
    std::shared_ptr<Queues> queues_ = std::make_shared<Queues>();
};

}  // namespace fencepost::evm
