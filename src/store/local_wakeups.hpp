// Wake-ups for a single node with its own store (SQLite): it notifies only itself.
#pragma once

#include "ports/wakeup_inbox.hpp"
#include "ports/wakeups.hpp"

namespace fencepost::store {

class LocalWakeups final : public Wakeups {
public:
    explicit LocalWakeups(const Executor& executor) : received_(executor) {}

    void announce(const SubmitterId& submitter) override { received_.put(submitter); }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() override { return received_.next(); }

private:
    WakeupInbox received_;
};

}  // namespace fencepost::store
