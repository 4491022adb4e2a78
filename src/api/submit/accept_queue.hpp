// Writes accepted transactions to the store in batches: all that arrive during one commit are written by the next.
// There is no timer, so a single transaction is written at once. The queue is limited in number and in time; beyond
// that a caller is refused quickly, and no accepted transaction is lost. While the store is unavailable, one batch at a
// time probes it, and other callers are refused at once.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/store/intake.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::api {

enum class AcceptFailure {
    overloaded,   // the queue is full; none of these was taken
    unavailable,  // certainly not written
    unknown,      // may have been written: a repetition with the same request id finds out
};

struct AcceptQueueOptions {
    std::size_t max_batch = 500;
    std::size_t max_waiting = 10'000;
    /// The bytes of their calldata: this many large transactions would not fit into memory.
    std::size_t max_waiting_bytes = std::size_t{64} * 1024 * 1024;
    /// A batch with unknown outcome is repeated up to `tries` times, `pause` apart.
    std::size_t tries = 5;
    Duration pause = std::chrono::milliseconds(200);
    /// The longest that a caller waits. It exceeds the store's own time-out, whose error says more.
    Duration timeout = std::chrono::seconds(5);
    /// The same for a batch that probes an unavailable store.
    Duration probe_timeout = std::chrono::seconds(1);
};

class AcceptQueue {
public:
    struct Dependencies {
        Intake& intake;
        Clock& clock;
        Telemetry& telemetry;
        Log& log;
        /// Called after the commit, once for each submitter in it.
        std::function<void(const SubmitterId&)> wake_lane;
    };
    using Answers = Result<std::vector<AcceptAnswer>, AcceptFailure>;

    AcceptQueue(const Executor& executor, Dependencies dependencies, AcceptQueueOptions options = {});

    /// One answer per intent, in order; `accepted` only for a new one, with the id it brought. All are taken or none,
    /// but they may be written in several commits. When the queue is empty, a request of any size is taken.
    /// `unavailable`: none of them was written, nor will be.
    [[nodiscard]] Task<Answers> accept(std::vector<NewIntent> intents);

    /// Writes until it is cancelled; then answers the remaining ones with `unavailable`.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

private:
    struct Call;
    struct Item {
        NewIntent intent;
        std::shared_ptr<Call> call;
        std::size_t index = 0;
    };
    class Closing;

    [[nodiscard]] Task<void> write_batch();
    [[nodiscard]] Task<Answers> accept_until_known(std::vector<NewIntent> intents);
    [[nodiscard]] Task<Result<std::vector<AcceptAnswer>, StoreError>> ask(std::vector<NewIntent> intents);
    [[nodiscard]] bool has_room_for(const std::vector<NewIntent>& intents) const;
    [[nodiscard]] Task<void> wait_for(std::shared_ptr<Call> call);
    /// The caller stops waiting: whatever is not in the present commit will never be written.
    void give_up(Call& call);
    void wake_lanes(const std::vector<NewIntent>& intents, const std::vector<AcceptAnswer>& answers) const;
    void close();

    Executor executor_;
    Dependencies dependencies_;
    AcceptQueueOptions options_;
    std::deque<Item> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::vector<Item> in_progress_;
    Wakeup work_;
    bool closed_ = false;
    /// The last write failed because the store did not answer.
    bool store_unavailable_ = false;
};

}  // namespace fencepost::api
