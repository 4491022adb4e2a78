// A hint from the node that accepted work to the one that owns the lane, so that the work need not wait until the owner
// looks by itself. Nothing is decided by it: a hint that never comes costs latency.
#pragma once

#include <vector>

#include "base/async/task.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

/// What an implementation promises:
/// - announcing never waits, never fails, and never throws. It is best effort: hints may be late, come twice, or get
///   lost, all of them for as long as the nodes cannot reach each other;
/// - announcements of one submitter that have not left yet count as one, and what is kept to be sent is bounded;
/// - every node that listens hears them; the one that announced may hear itself.
/// One task at a time waits in next(), on the executor on which announce() is called.
class Wakeups {
public:
    virtual ~Wakeups() = default;

    /// There may be new work for this submitter's lane, wherever it is. Called after the work was committed.
    virtual void announce(const SubmitterId& submitter) = 0;
    /// What was heard since the last call, each submitter once; waits for the first.
    [[nodiscard]] virtual Task<std::vector<SubmitterId>> next() = 0;
};

}  // namespace fencepost
