// Queue lengths for monitoring: a lane itself knows only the head of its queue.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "domain/window/send_window.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

struct SubmitterBacklog {
    SubmitterId submitter;
    /// Accepted, without a nonce yet.
    std::uint64_t queued = 0;
    /// With a nonce and without a verdict.
    std::uint64_t pending = 0;
    /// As last written by the lane; none while it has its initial value.
    std::optional<WindowState> window{};

    friend bool operator==(const SubmitterBacklog&, const SubmitterBacklog&) = default;
};

class Backlogs {
public:
    virtual ~Backlogs() = default;

    /// Upper bound of the count per submitter: a long queue must not make a periodic query expensive.
    static constexpr std::uint64_t max_counted = 100'000;

    /// For the submitters whose lease this node holds now, in order, including those with an empty queue. All nodes
    /// together report each submitter once.
    [[nodiscard]] virtual Task<Result<std::vector<SubmitterBacklog>, StoreError>> backlogs(NodeId owner) = 0;
};

}  // namespace fencepost
