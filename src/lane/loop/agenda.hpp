// Who is to be looked at again, and when. Cheap to change one's mind: an entry that became too early is found out when
// its time comes, and one that became too late is followed by an earlier one.
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

    /// The end of time when there is none.
    [[nodiscard]] Instant next() const { return entries_.empty() ? Instant::max() : entries_.top().first; }

    /// Takes the earliest out, if its time has come.
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
