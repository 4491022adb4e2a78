// The lanes of one node, spread over N single-threaded workers. A submitter belongs to one of them by hash, so that
// whatever is asked of its lane runs on one thread, and neither lane nor host needs a lock. Threads are made elsewhere:
// here are only the executors behind which they run, or the one executor of a simulated node.
#pragma once

#include <cstddef>
#include <vector>

#include "lane/host/lane_host.hpp"
#include "ports/clock.hpp"

namespace fencepost::lane {

/// Which of so many shards a submitter belongs to: the same in every process and on every platform.
[[nodiscard]] std::size_t shard_of(const SubmitterId& submitter, std::size_t shards);

/// Callable from any thread. The hosts must live as long as their executors run work, and whoever asks for lanes needs
/// a context that outlives the shards' threads: they post into it.
class LaneShards {
public:
    struct Shard {
        /// The only one on which the host is touched.
        Executor executor;
        LaneHost* host = nullptr;
    };

    explicit LaneShards(std::vector<Shard> shards);

    [[nodiscard]] std::size_t size() const { return shards_.size(); }

    /// These three return at once; the host does it on its own thread, in the order of calls from one thread.
    void open(const SubmitterId& submitter, const LaneOptions& options) const;
    void wake(const SubmitterId& submitter) const;
    void release(const SubmitterId& submitter) const;

    /// One of each shard, in any order. The caller goes on where it was.
    [[nodiscard]] Task<std::vector<HostReport>> reports() const;
    /// The lanes of all shards.
    [[nodiscard]] Task<std::vector<OpenLane>> open_lanes() const;
    /// Returns when no lane is left: what is opened meanwhile is released, too.
    [[nodiscard]] Task<void> release_all(Clock* clock) const;

private:
    [[nodiscard]] const Shard& shard_for(const SubmitterId& submitter) const;

    std::vector<Shard> shards_;
};

}  // namespace fencepost::lane
