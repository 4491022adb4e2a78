// One node, or one provider's address, through which a chain is reached. It is used only while it serves well
// (EndpointHealth) and only if it is of our chain: another chain's answers are worse than none.
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

/// Which chain it is: two chains can share an id (a fork, a local network that was started anew), never a genesis.
struct ChainPin {
    std::uint64_t chain_id = 0;
    /// As configured or recorded earlier; otherwise the first endpoint's word, and from then on everybody's.
    std::optional<BlockHash> genesis{};
};

struct EndpointOptions {
    HealthOptions health{};
    Slots::Options in_flight{};
    /// An endpoint of another chain is looked at again after this time, in case it has been put right.
    Duration foreign_recheck = std::chrono::minutes(1);
    /// One whose head falls by more blocks at once is asked again which chain it is of.
    std::uint64_t head_may_drop = 8;
};

/// Whether a call may go to an endpoint that is quarantined: when there is no other.
enum class Insist { no, yes };

/// The right to make one call now, or why there is none. What was waited for it is not the endpoint's time.
struct Admission {
    Slots::Slot slot{};
    std::optional<jsonrpc::Failure> refused{};
};

/// What an endpoint has shown of its pool so far. Only one that has shown a transaction of ours that waits can prove by
/// its silence that another is not there.
struct PoolHabits {
    bool shows_by_hash = false;
    bool counts = false;
};

class Endpoint {
public:
    /// `name` is shown in logs and reports; it contains no secret. The pin is shared by all endpoints of a chain.
    Endpoint(const Executor& executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin& pin, std::string name,
             std::unique_ptr<jsonrpc::JsonRpc> rpc, EndpointOptions options);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const EndpointHealth& health() const { return health_; }

    /// In service, and not known to be of another chain.
    [[nodiscard]] bool may_ask() const;
    [[nodiscard]] Instant available_at() const;
    /// Why it is refused: of which other chain it is.
    [[nodiscard]] const std::optional<std::string>& foreign() const { return foreign_; }
    [[nodiscard]] bool is_verified() const { return verified_; }
    /// false only once it has said that it does not.
    [[nodiscard]] bool offers(std::string_view method) const { return !not_offered_.contains(method); }

    [[nodiscard]] PoolHabits& pool_habits() { return pool_habits_; }
    [[nodiscard]] std::size_t max_batch() const { return rpc_->max_batch(); }

    /// One answer per request, in the order asked. Waits for a free slot and checks whose chain it is first, where that
    /// is not known; whatever stands in the way is a Failure that names this endpoint. The endpoint has the whole
    /// `time_limit` for its answer, however long the slot was waited for, which is no longer than that (failure 78).
    [[nodiscard]] Task<std::vector<jsonrpc::Answer>> call(std::vector<jsonrpc::Request> batch, Duration time_limit,
                                                          Insist insist = Insist::no);
    /// The same in two steps, for who decides between them what is to be asked.
    [[nodiscard]] Task<Admission> admit(Use use, Instant patience, Duration time_limit, Insist insist);
    [[nodiscard]] Task<std::vector<jsonrpc::Answer>> ask(std::vector<jsonrpc::Request> batch, Duration time_limit,
                                                         Use use = Use::read);

private:
    using Answers = std::vector<jsonrpc::Answer>;

    [[nodiscard]] bool is_refused(Instant now) const { return foreign_ && now < foreign_until_; }
    /// Why nothing may be asked of it at this moment.
    [[nodiscard]] std::optional<jsonrpc::Failure> obstacle(Insist insist) const;
    [[nodiscard]] Task<std::optional<jsonrpc::Failure>> check_identity(Duration time_limit, Insist insist);
    [[nodiscard]] std::optional<jsonrpc::Failure> judge_identity(const Answers& answers);
    [[nodiscard]] jsonrpc::Failure refuse(std::string why);
    /// What was asked, as far as the answer can be judged by it.
    struct Asked {
        std::string method;
        /// Every node of the chain can answer it, whatever the caller does: an error tells of the node.
        bool always_answerable = false;
    };
    [[nodiscard]] static Asked asked(const jsonrpc::Request& request);
    void judge(const std::vector<Asked>& questions, const Answers& answers, Instant begun, Use use);
    void take_head(BlockNumber head);
    void judge_failure(Instant now, const jsonrpc::Failure& failed);
    /// A node that cannot even say how high it is, though it gives answers of a kind.
    [[nodiscard]] std::optional<jsonrpc::Failure> trouble_in(const std::vector<Asked>& questions,
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
    Slots slots_;
    Slots identity_turn_;  // one check at a time; those who wait for it use its outcome
    bool verified_ = false;
    std::optional<std::string> foreign_{};
    Instant foreign_until_{};
    std::set<std::string, std::less<>> not_offered_{};
    PoolHabits pool_habits_{};
};

}  // namespace fencepost::evm
