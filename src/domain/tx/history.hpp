// What happened to a transaction, step by step, for the person who asks why. Equal consecutive steps are folded: ten
// thousand resends are one line with a count.
#pragma once

#include <string>

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class HistoryKind {
    accepted,
    allocated,
    broadcast,
    resubmitted,
    bumped,
    filler,
    mined,
    forked,
    confirmed,
    failed,
    cancelled,
    rejected,
    stuck,
    diagnosed,
    requeued,  // of both: of the one that lost its nonce, and of the one that it was queued again as
};
FP_ENUM_NAMES(HistoryKind, as_written, accepted, allocated, broadcast, resubmitted, bumped, filler, mined, forked,
              confirmed, failed, cancelled, rejected, stuck, diagnosed, requeued)

struct HistoryStep {
    HistoryKind kind = HistoryKind::accepted;
    std::string detail{};

    friend bool operator==(const HistoryStep&, const HistoryStep&) = default;
};

}  // namespace fencepost
