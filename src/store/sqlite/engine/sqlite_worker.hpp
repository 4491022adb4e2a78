// Where SQLite's work is done. A commit waits for the disk, and a lane's thread must not: so the store has a thread of
// its own. In the simulator there is none, and the work is done where it is asked for.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "base/async/task.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"

namespace fencepost::store::sqlite {

/// Pieces of work are done one at a time, in the order in which they were
/// handed over, and all that one did is seen by the next and by the task that asked for it.
class Worker {
public:
    explicit Worker(Execution execution);
    /// Does what was handed over, then ends the thread. The executors of waiting tasks must still be there.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Returns when the work is done. A task that is cancelled meanwhile waits all the same and learns how it ended;
    /// one that is destroyed leaves the work behind, so the work must own all that it uses.
    [[nodiscard]] Task<void> run(std::function<void()> work);

private:
    using Job = std::move_only_function<void()>;

    void hand_over(Job job);
    void serve();

    std::mutex mutex_;
    std::condition_variable something_to_do_;
    std::deque<Job> jobs_;
    bool ending_ = false;
    std::thread thread_;  // last: it uses the others
};

}  // namespace fencepost::store::sqlite
