// The outbox as its readers see it.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/tx/tx_event.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

/// A place in the log; a reader keeps it and goes on from there. The database transaction comes first, because a number
/// drawn early may be committed late.
struct EventPosition {
    std::uint64_t transaction = 0;
    std::uint64_t number = 0;

    friend auto operator<=>(const EventPosition&, const EventPosition&) = default;
};

struct LoggedEvent {
    EventPosition position;
    TxEvent event;
};

/// What an implementation promises: positions ascend, and a reader who goes on from the last one never misses an event,
/// also not one whose transaction committed late: an event is shown only when nothing that is still open can come
/// before it (failure 35). Events of one transaction come in their sequence.
class EventLog {
public:
    virtual ~EventLog() = default;
    [[nodiscard]] virtual Task<Result<std::vector<LoggedEvent>, StoreError>> read_after(EventPosition position,
                                                                                        std::size_t limit) = 0;
};

}  // namespace fencepost
