#include "lane/loop/lane_context.hpp"

#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::lane {

Task<void> guarded(Inbox* inbox, Log* log, std::string_view submitter, Task<void> errand) {
    const bool well =
        co_await ends_well(log, "Background task of a lane failed; reopening the lane", submitter, std::move(errand));
    if (!well) inbox->put(ErrandFailed{});
}

}  // namespace fencepost::lane
