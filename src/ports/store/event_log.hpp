// The outbox, as event sinks read it.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/tx/tx_event.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

/// A position in the log; a reader stores it and continues from there. The database transaction comes first, because a
/// number that is drawn early may be committed late.
struct EventPosition {
    std::uint64_t transaction = 0;
    std::uint64_t number = 0;

    friend auto operator<=>(const EventPosition&, const EventPosition&) = default;
};

struct LoggedEvent {
    EventPosition position;
    TxEvent event;
};

/// Contract: positions ascend, and a reader that continues from its last position never misses an event. An event
/// becomes visible only when no open transaction can still insert an earlier one (failure 35). Events of one
/// transaction come in their sequence.
class EventLog {
public:
    virtual ~EventLog() = default;
    [[nodiscard]] virtual Task<Result<std::vector<LoggedEvent>, StoreError>> read_after(EventPosition position,
                                                                                        std::size_t limit) = 0;
};

}  // namespace fencepost
