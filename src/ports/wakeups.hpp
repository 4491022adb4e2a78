// The port for hints from the node that accepted work to the node that owns the lane, so that the lane does not wait
// for its next poll. A lost hint costs latency, never correctness.
#pragma once

#include <vector>

#include "base/async/task.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

/// Contract:
/// - announce() does not block, fail or throw. It is best effort: hints may be late, duplicated, or lost;
/// - unsent announcements of one submitter are merged, and the number of unsent ones is bounded;
/// - every listening node receives them; the announcing node may receive its own.
class Wakeups {
public:
    virtual ~Wakeups() = default;

    /// Announces possible new work for this submitter's lane, on any node. Called after the work was committed.
    virtual void announce(const SubmitterId& submitter) = 0;
    /// The submitters announced since the last call, each once; waits for the first.
    [[nodiscard]] virtual Task<std::vector<SubmitterId>> next() = 0;
};

}  // namespace fencepost
