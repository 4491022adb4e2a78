// How much waits, for whoever watches a node: a lane itself knows only the head of its queue.
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
    /// As its lane last found it; none while it is where it starts.
    std::optional<WindowState> window{};

    friend bool operator==(const SubmitterBacklog&, const SubmitterBacklog&) = default;
};

class Backlogs {
public:
    virtual ~Backlogs() = default;

    /// So many transactions of a submitter are counted at the most: a longer queue must not make whoever asks every few
    /// seconds a burden.
    static constexpr std::uint64_t most_counted = 100'000;

    /// Of the submitters whose lease this node holds now, in order, also of those for which nothing waits: the nodes of
    /// a cluster together tell of each submitter once.
    [[nodiscard]] virtual Task<Result<std::vector<SubmitterBacklog>, StoreError>> backlogs(NodeId owner) = 0;
};

}  // namespace fencepost
