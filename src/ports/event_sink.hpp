// Where events go once they are committed. A sink that fails or is slow never touches the core: events wait in the log.
#pragma once

#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "ports/store/event_log.hpp"

namespace fencepost {

enum class SinkError {
    unavailable,  // deliver the same events again later
};

/// What an implementation promises: when deliver() succeeds, the receiver has all of the events. It may have some of
/// them after a failure, and gets them again: receivers tell by (transaction, event name, sequence).
class EventSink {
public:
    virtual ~EventSink() = default;
    [[nodiscard]] virtual Task<Status<SinkError>> deliver(std::vector<LoggedEvent> events) = 0;
};

}  // namespace fencepost
