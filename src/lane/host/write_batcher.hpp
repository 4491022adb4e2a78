// Batches the writes of all lanes of a node: while one commit is in progress, the next batch collects; when it returns,
// everything collected goes into one database transaction. There is no timer: a single write starts at once.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::lane {

class WriteBatcher {
public:
    using Answer = Result<WriteAnswer, StoreError>;

    WriteBatcher(const Executor& executor, LaneStore& store, Clock& clock, Telemetry& telemetry, Log& log,
                 std::size_t max_batch = 256);

    /// The store's answer for this submitter. A lane has at most one write in progress.
    [[nodiscard]] Task<Answer> write(LaneWrite write);

    /// Writes that have not started.
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

    /// Writes until cancelled. The owner of the batcher runs it.
    [[nodiscard]] Task<void> run();

private:
    struct Entry {
        Entry(const Executor& executor, LaneWrite asked) : write(std::move(asked)), answered(executor) {}
        LaneWrite write;
        Wakeup answered;
        std::optional<Answer> answer;
    };
    using Answers = Result<std::vector<WriteAnswer>, StoreError>;

    [[nodiscard]] std::vector<std::shared_ptr<Entry>> take_batch();
    /// An exception of the store means an unknown outcome, and the lanes are reopened; the batcher continues.
    [[nodiscard]] Task<Answers> write_all(std::vector<LaneWrite> writes);

    Executor executor_;
    LaneStore& store_;
    Clock& clock_;
    Telemetry& telemetry_;
    Log& log_;
    std::size_t max_batch_;
    std::deque<std::shared_ptr<Entry>> waiting_;
    Wakeup work_;
};

}  // namespace fencepost::lane
