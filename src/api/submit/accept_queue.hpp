// How intents get into the store: all that arrive while one commit is under way go into the next one together. There is
// no timer, so a lone one goes at once. What waits is bounded, in number and in time: beyond that a caller is told so
// quickly, and nothing that was accepted is lost. While the store is away, one batch at a time finds out whether it is
// back, and whoever comes meanwhile is sent away at once.
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
    overloaded,   // too many wait already; none of these was taken
    unavailable,  // certainly not written
    unknown,      // may have been written: asking again with the same request id tells
};

struct AcceptQueueOptions {
    std::size_t max_batch = 500;
    std::size_t max_waiting = 10'000;
    /// Of their data: that many large ones would not fit into memory.
    std::size_t max_waiting_bytes = std::size_t{64} * 1024 * 1024;
    /// A batch of which nobody knows whether it was written is asked for again so often, so far apart.
    std::size_t tries = 5;
    Duration pause = std::chrono::milliseconds(200);
    /// So long a caller waits at the most. Longer than the store itself waits for an answer, so that it can say more.
    Duration patience = std::chrono::seconds(5);
    /// The same for those who find out whether a store that was away is back.
    Duration patience_when_away = std::chrono::seconds(1);
};

class AcceptQueue {
public:
    struct Parts {
        Intake& intake;
        Clock& clock;
        Telemetry& telemetry;
        Log& log;
        /// Called after the commit, once for each submitter of it.
        std::function<void(const SubmitterId&)> wake_lane;
    };
    using Answers = Result<std::vector<AcceptAnswer>, AcceptFailure>;

    AcceptQueue(const Executor& executor, Parts parts, AcceptQueueOptions options = {});

    /// One answer for each, in the order asked; `accepted` exactly for what is new, under the id it brought. All of
    /// them are taken or none, but they may be written in several commits. What comes when nobody waits is taken,
    /// however large it is. `unavailable`: none of them was written, nor will be.
    [[nodiscard]] Task<Answers> accept(std::vector<NewIntent> intents);

    /// Writes until it is cancelled; what waits then is answered that it was not written.
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
    [[nodiscard]] Task<Answers> ask_until_known(std::vector<NewIntent> intents);
    [[nodiscard]] Task<Result<std::vector<AcceptAnswer>, StoreError>> ask(std::vector<NewIntent> intents);
    [[nodiscard]] bool has_room_for(const std::vector<NewIntent>& intents) const;
    [[nodiscard]] Task<void> wait_for(std::shared_ptr<Call> call);
    /// The caller goes: what is not being written never will be.
    void give_up(Call& call);
    void wake_lanes(const std::vector<NewIntent>& intents, const std::vector<AcceptAnswer>& answers) const;
    void close();

    Executor executor_;
    Parts parts_;
    AcceptQueueOptions options_;
    std::deque<Item> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::vector<Item> under_way_;
    Wakeup work_;
    bool closed_ = false;
    /// The last that was heard of the store was that it does not answer.
    bool store_is_away_ = false;
};

}  // namespace fencepost::api
