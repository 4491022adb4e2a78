// Submitters that were announced and not fetched yet: each once, up to a capacity. Shared by the implementations of
// Wakeups, so that they coalesce and drop hints in the same way.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "base/async/wakeup.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

class WakeupInbox {
public:
    /// Hints beyond this are dropped; owners also poll.
    static constexpr std::size_t capacity = 10'000;

    explicit WakeupInbox(const Executor& executor) : wakeup_(executor) {}

    void put(const SubmitterId& submitter) {
        if (submitters_.size() < capacity) submitters_.insert(submitter);
        wakeup_.notify();
    }
    [[nodiscard]] bool is_empty() const { return submitters_.empty(); }
    [[nodiscard]] std::size_t size() const { return submitters_.size(); }
    [[nodiscard]] std::vector<SubmitterId> take() {
        auto taken = std::exchange(submitters_, {});
        return {taken.begin(), taken.end()};
    }
    /// Returns when there is something to take. Only one task may wait at a time.
    [[nodiscard]] Task<void> wait() {
        while (submitters_.empty())
            co_await wakeup_.wait();
    }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() {
        co_await wait();
        co_return take();
    }

private:
    std::set<SubmitterId> submitters_;
    Wakeup wakeup_;
};

}  // namespace fencepost
