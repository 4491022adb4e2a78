// Runs SQLite's work on a thread of its own, because a commit waits for the disk and a lane's thread must not. In the
// simulator the work runs on the calling thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "base/async/task.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"

namespace fencepost::store::sqlite {

/// Jobs run one at a time, in submission order. The effects of a job are visible to the next job and to the task that
/// submitted it.
class Worker {
public:
    explicit Worker(Execution execution);
    /// Finishes all submitted jobs, then ends the thread. The executors of waiting tasks must still exist.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Returns when the work is done. A cancelled task waits all the same and learns the result; a destroyed task
    /// leaves the work running, so the work must own everything it uses.
    [[nodiscard]] Task<void> run(std::function<void()> work);

private:
    using Job = std::move_only_function<void()>;

    void submit(Job job);
    void serve();

    std::mutex mutex_;
    std::condition_variable job_available_;
    std::deque<Job> jobs_;
    bool ending_ = false;
    std::thread thread_;  // last: it uses the other members
};

}  // namespace fencepost::store::sqlite
