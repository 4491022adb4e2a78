// The outbox as its readers see it.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "domain/tx_event.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

/// A place in the log; a reader keeps it and goes on from there.
using EventPosition = Ordinal<struct EventPositionTag>;

struct LoggedEvent {
    EventPosition position;
    TxEvent event;
};

/// What an implementation promises: events come in commit order, and a reader who goes on from the last position never
/// misses one, also not one whose transaction committed late.
class EventLog {
public:
    virtual ~EventLog() = default;
    [[nodiscard]] virtual Task<Result<std::vector<LoggedEvent>, StoreError>> read_after(EventPosition position,
                                                                                        std::size_t limit) = 0;
};

}  // namespace fencepost
