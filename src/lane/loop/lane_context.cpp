#include "lane/loop/lane_context.hpp"

#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::lane {

Task<void> guarded(Inbox* inbox, Log* log, std::string_view submitter, Task<void> task) {
    const bool well =
        co_await run_guarded(log, "Background task of a lane failed; reopening the lane", submitter, std::move(task));
    if (!well) inbox->put(TaskFailed{});
}

}  // namespace fencepost::lane
