// A database of one submitter's lease and one counter, as slow and as late as a real one can be. It is a process of its
// own: what a client sent arrives and is executed also when the client is dead, stopped or has given up waiting.
#pragma once

#include <memory>
#include <optional>

#include <boost/asio/experimental/channel.hpp>

#include "domain/lease.hpp"
#include "sim/fence_workload.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::sim {

class LeaseDatabase {
public:
    struct Opened {
        LeaseResult result = LeaseResult::not_owner;
        FenceToken token;
        std::uint64_t counter = 0;  // as read after the lease was taken
    };

    LeaseDatabase(World& world, const FenceSettings& settings, FenceReport& report);

    /// Each gives nothing when the answer did not come within `patience`: then it may or may not have been done.
    [[nodiscard]] Task<std::optional<Opened>> open(SimNode* client, NodeId node);
    [[nodiscard]] Task<std::optional<bool>> renew(SimNode* client, Fence fence);
    /// Sets the counter, blindly, to what the client thinks is the next value: only the fence protects it.
    [[nodiscard]] Task<std::optional<bool>> write(SimNode* client, Fence fence, std::uint64_t counter);

    static constexpr Duration patience = std::chrono::seconds(1);

private:
    template <typename T>
    using Reply = asio::experimental::channel<void(boost::system::error_code, T)>;

    template <typename T, typename Execute>
    Task<std::optional<T>> ask(SimNode* client, Execute execute);
    template <typename T, typename Execute>
    Task<void> serve(Execute execute, std::shared_ptr<Reply<T>> reply);

    [[nodiscard]] Opened execute_open(const NodeId& node);
    [[nodiscard]] bool execute_write(const Fence& fence, std::uint64_t counter);
    void violated(std::string what);

    World& world_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    FenceSettings settings_;
    FenceReport& report_;
    std::optional<Lease> lease_;
    FenceToken newest_opening_;
    std::uint64_t counter_ = 0;
};

}  // namespace fencepost::sim
