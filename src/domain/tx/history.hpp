// The history of a transaction, for display. Equal consecutive steps are folded: ten thousand resends are one entry
// with a count.
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
    requeued,  // for both: the transaction that lost its nonce, and its replacement in the queue
};
FP_ENUM_NAMES(HistoryKind, as_written, accepted, allocated, broadcast, resubmitted, bumped, filler, mined, forked,
              confirmed, failed, cancelled, rejected, stuck, diagnosed, requeued)

struct HistoryStep {
    HistoryKind kind = HistoryKind::accepted;
    std::string detail{};

    friend bool operator==(const HistoryStep&, const HistoryStep&) = default;
};

}  // namespace fencepost
