// All endpoints of one chain behind one interface: a read goes to the best endpoint and fails over to the next, a send
// goes to all. Callers need not know how many endpoints there are or which of them are down.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/async/task_group.hpp"
#include "domain/address.hpp"
#include "evm/endpoints/endpoint.hpp"
#include "evm/endpoints/rpc.hpp"
#include "evm/endpoints/send_queue.hpp"

namespace fencepost::evm {

struct PoolOptions {
    /// Limit for a whole read, including failover, and for each request that sends. Waiting for our own permit is not
    /// included: it is not the endpoint's time.
    Duration time_limit = std::chrono::seconds(10);
    /// Interval at which each endpoint's head is polled.
    Duration head_interval = std::chrono::seconds(4);
    /// An endpoint further than this behind the best one is used only when no other can be.
    std::uint64_t max_lag = 3;
    EndpointOptions endpoint{};
};

struct NamedRpc {
    /// Appears in logs and reports: contains no secret.
    std::string name;
    std::unique_ptr<jsonrpc::JsonRpc> rpc;
};

/// Endpoint state for operators.
struct EndpointStatus {
    std::string name;
    bool in_service = false;
    /// Which other chain it serves.
    std::optional<std::string> other_chain{};
    std::optional<Duration> latency{};
    std::optional<BlockNumber> head{};
};

class EndpointPool final : public Rpc {
public:
    /// At least one endpoint. `pin` says which chain all of them must serve.
    EndpointPool(Executor executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin pin,
                 std::vector<NamedRpc> endpoints, PoolOptions options = {});

    /// Polls the endpoints and owns unfinished sends. Runs until cancelled; send() needs it.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] Task<std::vector<Answer>> read(std::vector<Request> batch, Evidence evidence) override;
    [[nodiscard]] Task<std::vector<std::vector<Answer>>> read_all(std::vector<Request> batch) override;

    /// As Chain::send promises. Answers that arrive after it has returned are still awaited in the background.
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch);
    /// As Chain::query_pools promises; `told` is the head that was last reported to consumers.
    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> look(Address account, std::vector<PoolQuery> questions,
                                                              BlockNumber told);

    /// Includes the genesis learnt from the first endpoint when none was configured.
    [[nodiscard]] const ChainPin& pin() const { return pin_; }
    [[nodiscard]] std::vector<EndpointStatus> status() const;
    /// Number of (endpoint, account) pairs with queued or in-flight sends.
    [[nodiscard]] std::size_t accounts_with_sends() const;
    /// Whether any endpoint may support the method: false only when all have said that they do not.
    [[nodiscard]] bool offers(std::string_view method) const;

private:
    using Answers = std::vector<Answer>;
    struct Reading;
    struct MempoolQuery;
    /// One endpoint of a request that goes to all.
    struct Target {
        Endpoint* endpoint = nullptr;
        Instant not_before{};
        AllowQuarantined allow_quarantined = AllowQuarantined::no;
    };
    /// Outcome of a batch at one endpoint.
    struct BatchResult {
        enum class Kind { answered, endpoint_error, no_evidence, failed };
        Kind kind{};
        Answers answers{};
    };

    [[nodiscard]] Task<Answers> read_one(std::vector<Request> batch, Evidence evidence);
    [[nodiscard]] Task<Answers> read_agreed(std::vector<Request> batch, Evidence evidence);
    [[nodiscard]] Task<BatchResult> ask(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                        Duration time_limit);
    [[nodiscard]] Task<void> ask_in_background(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                               Duration time_limit, std::vector<BatchResult>* takes);
    [[nodiscard]] Task<void> ask_target(Target target, std::vector<Request> batch, Instant deadline,
                                        std::vector<Answers>* all);
    [[nodiscard]] Task<void> query_mempool(Endpoint* endpoint, MempoolQuery* look);
    [[nodiscard]] Task<void> watch_endpoints();
    [[nodiscard]] Task<void> poll_head(Endpoint* endpoint) const;

    /// Best first.
    [[nodiscard]] std::vector<Endpoint*> ranked(const std::vector<Request>& batch, BlockNumber at_least) const;
    [[nodiscard]] std::optional<Instant> next_back_in_service(Instant deadline) const;
    [[nodiscard]] std::vector<Target> targets(Instant deadline) const;
    [[nodiscard]] std::vector<Target> targets(const std::optional<std::string>& only, Instant deadline) const;
    [[nodiscard]] std::optional<BlockNumber> best_head() const;

    Executor executor_;
    Clock& clock_;
    ChainPin pin_;
    PoolOptions options_;
    std::vector<std::unique_ptr<Endpoint>> endpoints_{};
    TaskGroup background_;
    std::vector<std::unique_ptr<SendQueues>> queues_{};  // one per endpoint
    bool running_ = false;
};

}  // namespace fencepost::evm
