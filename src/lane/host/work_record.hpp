// What a host has seen of its chains and signers: whether calls work, as plain facts. What follows from them, and when,
// is decided elsewhere (cluster/ability_tracker.hpp).
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::lane {

/// The results of one kind of call: the run of successes, or of failures, that it is in.
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

/// The newest head, and how long blocks take on this chain.
struct HeadRecord {
    BlockNumber number;
    Instant at;
    /// The longest of the last few blocks, by their timestamps: after an outage they tell the same as before.
    Duration interval{};

    friend bool operator==(const HeadRecord&, const HeadRecord&) = default;
};

struct ChainRecord {
    std::optional<HeadRecord> head{};
    CallRecord sends{};
    /// To what a lane asks when it opens.
    CallRecord answers{};
};

struct WorkRecord {
    std::map<ChainRef, ChainRecord> chains{};
    /// Only those that failed at some time.
    std::map<SubmitterId, CallRecord> signers{};
};

}  // namespace fencepost::lane
