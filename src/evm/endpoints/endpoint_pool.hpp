// All endpoints of one chain as one: a read goes to the best of them and on to the next if it fails, a send goes to
// all. Whoever asks through it need not know how many there are, nor that one of them is down.
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
    /// Of every read, whoever answers it in the end, and of every request that sends. The wait for one of our own slots
    /// comes on top: it is not the endpoint's time.
    Duration time_limit = std::chrono::seconds(10);
    /// How often each endpoint is asked how high it is.
    Duration head_interval = std::chrono::seconds(4);
    /// An endpoint further behind the best is asked only when no other can.
    std::uint64_t max_lag = 3;
    EndpointOptions endpoint{};
};

struct NamedRpc {
    /// Shown in logs and reports: it contains no secret.
    std::string name;
    std::unique_ptr<jsonrpc::JsonRpc> rpc;
};

/// What a person wants to know about an endpoint.
struct EndpointStatus {
    std::string name;
    bool in_service = false;
    /// Of which other chain it is.
    std::optional<std::string> foreign{};
    std::optional<Duration> latency{};
    std::optional<BlockNumber> head{};
};

class EndpointPool final : public Rpc {
public:
    /// There is at least one endpoint. `pin` says which chain it must be.
    EndpointPool(Executor executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin pin,
                 std::vector<NamedRpc> endpoints, PoolOptions options = {});

    /// Keeps an eye on the endpoints and owns what sends leave behind. Runs until cancelled; sends need it.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] Task<std::vector<Answer>> read(std::vector<Request> batch, Evidence evidence) override;
    [[nodiscard]] Task<std::vector<std::vector<Answer>>> read_all(std::vector<Request> batch) override;

    /// As Chain::send promises. Answers that come after it has returned are still waited for, beside.
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch);
    /// As Chain::look_into_pools promises, `told` being the head that was told of.
    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> look(Address account, std::vector<PoolQuestion> questions,
                                                              BlockNumber told);

    /// With the genesis as learnt from the first endpoint, where it was not given.
    [[nodiscard]] const ChainPin& pin() const { return pin_; }
    [[nodiscard]] std::vector<EndpointStatus> status() const;
    /// For how many accounts sends wait or are under way, each endpoint counted by itself.
    [[nodiscard]] std::size_t accounts_with_sends() const;
    /// Whether any endpoint may offer a method: none has said otherwise, or not all of them.
    [[nodiscard]] bool offers(std::string_view method) const;

private:
    using Answers = std::vector<Answer>;
    struct Reading;
    struct Look;
    /// Where a question to all goes.
    struct Target {
        Endpoint* endpoint = nullptr;
        Instant not_before{};
        Insist insist = Insist::no;
    };
    /// What one endpoint made of a batch.
    struct Take {
        enum class Kind { answered, complained, no_evidence, failed };
        Kind kind{};
        Answers answers{};
    };

    [[nodiscard]] Task<Answers> read_one(std::vector<Request> batch, Evidence evidence);
    [[nodiscard]] Task<Answers> read_agreed(std::vector<Request> batch, Evidence evidence);
    [[nodiscard]] Task<Take> ask(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                 Duration time_limit);
    [[nodiscard]] Task<void> ask_beside(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                        Duration time_limit, std::vector<Take>* takes);
    [[nodiscard]] Task<void> ask_target(Target target, std::vector<Request> batch, Instant deadline,
                                        std::vector<Answers>* all);
    [[nodiscard]] Task<void> look_at_pool(Endpoint* endpoint, Look* look);
    [[nodiscard]] Task<void> keep_watch();
    [[nodiscard]] Task<void> look_at(Endpoint* endpoint) const;

    /// The best first.
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
    TaskGroup beside_;
    std::vector<std::unique_ptr<SendQueues>> queues_{};  // one for each endpoint
    bool running_ = false;
};

}  // namespace fencepost::evm
