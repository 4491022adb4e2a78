// A timer queue. Rescheduling is cheap: entries are not removed, so an outdated entry fires early and is ignored, and
// an earlier time adds a second entry.
#pragma once

#include <queue>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace fencepost::lane {

template <typename Key>
class Agenda {
public:
    void schedule(Instant at, Key key) { entries_.emplace(at, key); }

    /// Instant::max() if empty.
    [[nodiscard]] Instant next() const { return entries_.empty() ? Instant::max() : entries_.top().first; }

    /// Removes the earliest entry, if it is due.
    [[nodiscard]] bool take_due(Instant now, Key& key) {
        if (next() > now) return false;
        key = entries_.top().second;
        entries_.pop();
        return true;
    }

private:
    using Entry = std::pair<Instant, Key>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> entries_;
};

}  // namespace fencepost::lane
