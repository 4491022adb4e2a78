// All endpoints of one chain as one: a read goes to the best of them and on to the next if it fails, a send goes to
// all. Whoever asks through it need not know how many there are, nor that one of them is down.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/task_group.hpp"
#include "evm/endpoint.hpp"
#include "evm/rpc.hpp"

namespace fencepost::evm {

struct PoolOptions {
    /// Of every read and every send, whoever answers it in the end.
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

    /// Signed transactions to every endpoint in service. Returns once each is held by one of them, or all have answered
    /// or run out of time; answers that come later are still waited for, beside. Never fails: what is not certain is
    /// unknown. One report per transaction, in the order given.
    [[nodiscard]] Task<std::vector<SendReport>> send(std::vector<Bytes> raws);

    /// With the genesis as learnt from the first endpoint, where it was not given.
    [[nodiscard]] const ChainPin& pin() const { return pin_; }
    [[nodiscard]] std::vector<EndpointStatus> status() const;
    /// Whether any endpoint may offer a method: none has said otherwise, or not all of them.
    [[nodiscard]] bool offers(std::string_view method) const;

private:
    using Answers = std::vector<Answer>;
    struct Reading;
    struct Sending;
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
    [[nodiscard]] Task<Take> ask(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence, Instant deadline);
    [[nodiscard]] Task<void> ask_beside(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                        Instant deadline, std::vector<Take>* takes);
    [[nodiscard]] Task<void> ask_target(Target target, std::vector<Request> batch, Instant deadline,
                                        std::vector<Answers>* all);
    [[nodiscard]] Task<void> send_to(Target target, std::shared_ptr<Sending> sending);
    [[nodiscard]] Task<void> keep_watch();
    [[nodiscard]] Task<void> look_at(Endpoint* endpoint);

    /// The best first.
    [[nodiscard]] std::vector<Endpoint*> ranked(const std::vector<Request>& batch, BlockNumber at_least) const;
    [[nodiscard]] std::optional<Instant> next_back_in_service(Instant deadline) const;
    [[nodiscard]] std::vector<Target> targets(Instant deadline) const;
    [[nodiscard]] std::optional<BlockNumber> best_head() const;

    Executor executor_;
    Clock& clock_;
    ChainPin pin_;
    PoolOptions options_;
    std::vector<std::unique_ptr<Endpoint>> endpoints_{};
    TaskGroup beside_;
    bool running_ = false;
};

}  // namespace fencepost::evm
