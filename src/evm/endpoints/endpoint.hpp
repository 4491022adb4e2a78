// One RPC endpoint of a chain: a node, or a provider's URL. It is used only while it serves well (EndpointHealth) and
// only if it serves the configured chain: answers from another chain are worse than none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "evm/endpoints/concurrency_limiter.hpp"
#include "evm/endpoints/endpoint_health.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::evm {

/// The identity of a chain. Two chains can share an id (a fork, a restarted local network), but never a genesis hash.
struct ChainPin {
    std::uint64_t chain_id = 0;
    /// As configured or recorded earlier. Otherwise the first endpoint's genesis is taken, and all others must match
    /// it.
    std::optional<BlockHash> genesis{};
};

struct EndpointOptions {
    HealthOptions health{};
    ConcurrencyLimiter::Options in_flight{};
    /// An endpoint of another chain is checked again after this time, in case it was reconfigured.
    Duration other_chain_recheck = std::chrono::minutes(1);
    /// When the head falls by more blocks than this at once, the endpoint's chain is checked again.
    std::uint64_t max_head_drop = 8;
};

/// Whether a call may go to a quarantined endpoint: yes when it is the only one.
enum class AllowQuarantined { no, yes };

/// A permit for one call now, or the reason for the refusal. Waiting for it does not count as the endpoint's time.
struct Admission {
    ConcurrencyLimiter::Permit permit{};
    std::optional<jsonrpc::Failure> refused{};
};

/// What the endpoint has revealed of its mempool so far. Only an endpoint that has returned a pending transaction of
/// ours by hash can prove, by returning null, that another one is absent.
struct MempoolCapabilities {
    bool returns_pending_by_hash = false;
    bool counts = false;
};

class Endpoint {
public:
    /// `name` appears in logs and reports; it contains no secret. All endpoints of a chain share the pin.
    Endpoint(const Executor& executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin& pin, std::string name,
             std::unique_ptr<jsonrpc::JsonRpc> rpc, EndpointOptions options);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const EndpointHealth& health() const { return health_; }

    /// In service, and not known to serve another chain.
    [[nodiscard]] bool is_available() const;
    [[nodiscard]] Instant available_at() const;
    /// Why the endpoint is refused: which other chain it serves.
    [[nodiscard]] const std::optional<std::string>& other_chain() const { return other_chain_; }
    [[nodiscard]] bool is_verified() const { return verified_; }
    /// False only after the endpoint said that it does not support the method.
    [[nodiscard]] bool offers(std::string_view method) const { return !unsupported_methods_.contains(method); }

    [[nodiscard]] MempoolCapabilities& mempool_capabilities() { return mempool_capabilities_; }
    [[nodiscard]] std::size_t max_batch() const { return rpc_->max_batch(); }

    /// One answer per request, in order. Waits for a permit and, if the endpoint's chain is not yet verified, verifies
    /// it first; any obstacle becomes a Failure that names this endpoint. The endpoint has the whole `time_limit` to
    /// answer; waiting for a permit takes at most the same time again (failure 78).
    [[nodiscard]] Task<std::vector<jsonrpc::Answer>> call(std::vector<jsonrpc::Request> batch, Duration time_limit,
                                                          AllowQuarantined allow_quarantined = AllowQuarantined::no);
    /// call() in two steps, for callers that choose the requests in between.
    [[nodiscard]] Task<Admission> admit(Purpose purpose, Instant patience, Duration time_limit,
                                        AllowQuarantined allow_quarantined);
    [[nodiscard]] Task<std::vector<jsonrpc::Answer>> ask(std::vector<jsonrpc::Request> batch, Duration time_limit,
                                                         Purpose purpose = Purpose::read);

private:
    using Answers = std::vector<jsonrpc::Answer>;

    [[nodiscard]] bool is_refused(Instant now) const { return other_chain_ && now < other_chain_until_; }
    /// Why no request may go to this endpoint now.
    [[nodiscard]] std::optional<jsonrpc::Failure> obstacle(AllowQuarantined allow_quarantined) const;
    [[nodiscard]] Task<std::optional<jsonrpc::Failure>> check_identity(Duration time_limit,
                                                                       AllowQuarantined allow_quarantined);
    [[nodiscard]] std::optional<jsonrpc::Failure> judge_identity(const Answers& answers);
    [[nodiscard]] jsonrpc::Failure refuse(std::string why);
    /// What judging an answer needs to know about its request.
    struct RequestInfo {
        std::string method;
        /// Any node of the chain can answer it, whatever the caller does: an error is about the node.
        bool always_answerable = false;
    };
    [[nodiscard]] static RequestInfo asked(const jsonrpc::Request& request);
    void judge(const std::vector<RequestInfo>& requests, const Answers& answers, Instant begun, Purpose purpose);
    void update_head(BlockNumber head);
    void judge_failure(Instant now, const jsonrpc::Failure& failed);
    /// Set when a node answers but cannot even return its block number.
    [[nodiscard]] std::optional<jsonrpc::Failure> node_error_in(const std::vector<RequestInfo>& requests,
                                                                const Answers& answers) const;
    void slow_down(Instant now, const jsonrpc::Failure* failure);
    [[nodiscard]] jsonrpc::Failure failure(jsonrpc::Failure::Kind kind, std::string_view what) const;

    Clock& clock_;
    Log& log_;
    Telemetry& telemetry_;
    ChainPin& pin_;
    std::string name_;
    std::unique_ptr<jsonrpc::JsonRpc> rpc_;
    EndpointOptions options_;
    EndpointHealth health_;
    ConcurrencyLimiter limiter_;
    ConcurrencyLimiter identity_check_;  // one check at a time; concurrent callers share its result
    bool verified_ = false;
    std::optional<std::string> other_chain_{};
    Instant other_chain_until_{};
    std::set<std::string, std::less<>> unsupported_methods_{};
    MempoolCapabilities mempool_capabilities_{};
};

}  // namespace fencepost::evm
