// Distributes the lanes of one node over N single-threaded workers. A submitter belongs to one worker by hash, so all
// calls for its lane run on one thread without locks. The threads are created elsewhere; this class uses their
// executors, or the single executor of a simulated node.
#pragma once

#include <cstddef>
#include <vector>

#include "lane/host/lane_host.hpp"
#include "ports/clock.hpp"

namespace fencepost::lane {

/// The shard of a submitter: the same in every process and on every platform.
[[nodiscard]] std::size_t shard_of(const SubmitterId& submitter, std::size_t shards);

/// Callable from any thread. The hosts must live as long as their executors run, and the caller's context must outlive
/// the shards' threads, because they post to it.
class LaneShards {
public:
    struct Shard {
        /// The only executor on which the host is used.
        Executor executor;
        LaneHost* host = nullptr;
    };

    explicit LaneShards(std::vector<Shard> shards);

    [[nodiscard]] std::size_t size() const { return shards_.size(); }

    /// These three return at once; the host executes them on its own thread, in the order of the calls from one thread.
    void open(const SubmitterId& submitter, const LaneOptions& options) const;
    void wake(const SubmitterId& submitter) const;
    void release(const SubmitterId& submitter) const;

    /// One report per shard, in any order. The caller resumes on its own executor.
    [[nodiscard]] Task<std::vector<HostReport>> reports() const;
    /// The lanes of all shards.
    [[nodiscard]] Task<std::vector<OpenLane>> open_lanes() const;
    /// Returns when no lane is left; also releases lanes that are opened meanwhile.
    [[nodiscard]] Task<void> release_all(Clock* clock) const;

private:
    [[nodiscard]] const Shard& shard_for(const SubmitterId& submitter) const;

    std::vector<Shard> shards_;
};

}  // namespace fencepost::lane
