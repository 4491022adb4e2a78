// Records whether calls to chains and signers succeed, as plain facts. cluster/ability_tracker.hpp evaluates them.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::lane {

/// The results of one kind of call: the current run of successes, or of failures.
struct CallRecord {
    /// The first success after the last failure.
    std::optional<Instant> working_since{};
    /// The first failure after the last success.
    std::optional<Instant> failing_since{};
    std::optional<Instant> last_failure{};

    void succeeded(Instant at) {
        if (!working_since) working_since = at;
        failing_since.reset();
    }
    void failed(Instant at) {
        if (!failing_since) failing_since = at;
        working_since.reset();
        last_failure = at;
    }

    friend bool operator==(const CallRecord&, const CallRecord&) = default;
};

/// The newest head, and the block time of the chain.
struct HeadRecord {
    BlockNumber number;
    Instant at;
    /// The longest of the last few block times, by their timestamps: unaffected by an outage.
    Duration interval{};

    friend bool operator==(const HeadRecord&, const HeadRecord&) = default;
};

struct ChainRecord {
    std::optional<HeadRecord> head{};
    CallRecord sends{};
    /// The queries of a lane when it opens.
    CallRecord answers{};
};

struct WorkRecord {
    std::map<ChainRef, ChainRecord> chains{};
    /// Only submitters with at least one failure.
    std::map<SubmitterId, CallRecord> signers{};
};

}  // namespace fencepost::lane
