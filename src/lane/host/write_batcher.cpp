#include "lane/host/write_batcher.hpp"

#include <algorithm>
#include <utility>

#include "base/async/caught.hpp"
#include "lane/host/run_guarded.hpp"

namespace fencepost::lane {

WriteBatcher::WriteBatcher(const Executor& executor, LaneStore& store, Clock& clock, Telemetry& telemetry, Log& log,
                           std::size_t max_batch)
    : executor_(executor),
      store_(store),
      clock_(clock),
      telemetry_(telemetry),
      log_(log),
      max_batch_(max_batch),
      work_(executor) {}

Task<WriteBatcher::Answer> WriteBatcher::write(LaneWrite write) {
    const auto entry = std::make_shared<Entry>(executor_, std::move(write));
    waiting_.push_back(entry);
    work_.notify();
    while (!entry->answer)
        co_await entry->answered.wait();
    co_return *entry->answer;
}

std::vector<std::shared_ptr<WriteBatcher::Entry>> WriteBatcher::take_batch() {
    const auto count = static_cast<std::ptrdiff_t>(std::min(max_batch_, waiting_.size()));
    std::vector<std::shared_ptr<Entry>> batch(waiting_.begin(), waiting_.begin() + count);
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    return batch;
}

Task<WriteBatcher::Answers> WriteBatcher::write_all(std::vector<LaneWrite> writes) {
    auto answers = co_await caught(store_.write(std::move(writes)));
    if (answers) co_return *std::move(answers);
    log_.write(Severity::alert, "Store threw during a write; outcome unknown",
               {{exception_field, what_of(answers.error())}});
    co_return err(StoreError::unknown_outcome);
}

Task<void> WriteBatcher::run() {
    while (true) {
        while (waiting_.empty())
            co_await work_.wait();
        const auto batch = take_batch();
        std::vector<LaneWrite> writes;
        writes.reserve(batch.size());
        for (const auto& entry : batch)
            writes.push_back(std::move(entry->write));
        telemetry_.measure(Size::lane_batch, writes.size());
        const auto begun = clock_.monotonic();
        const auto answers = co_await write_all(std::move(writes));
        telemetry_.observe(Latency::database_write, clock_.monotonic() - begun);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            batch[i]->answer = answers ? Answer(answers->at(i)) : Answer(err(answers.error()));
            batch[i]->answered.notify();
        }
    }
}

}  // namespace fencepost::lane
