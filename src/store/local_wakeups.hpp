// Wake-ups for a single node with its own store (SQLite): it notifies only itself.
#pragma once

#include "ports/wakeup_inbox.hpp"
#include "ports/wakeups.hpp"

namespace fencepost::store {

class LocalWakeups final : public Wakeups {
public:
    explicit LocalWakeups(const Executor& executor) : heard_(executor) {}

    void announce(const SubmitterId& submitter) override { heard_.put(submitter); }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() override { return heard_.next(); }

private:
    WakeupInbox heard_;
};

}  // namespace fencepost::store
