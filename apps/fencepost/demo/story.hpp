// The lives of transactions as lines for a person who watches: what is new in each one's history since it was told
// last, one line a step. It asks nobody and prints nothing, so it is tested by itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

struct StoryOptions {
    /// What happened before this is known already. Times are told from here on.
    UnixTime since;
    bool colours = false;
};

struct StoryLine {
    UnixTime at;
    std::string text;
};

class Story {
public:
    explicit Story(StoryOptions options) : options_(options) {}

    /// The steps of one transaction that have not been told yet, in order.
    [[nodiscard]] std::vector<StoryLine> tell(const TxView& transaction, const std::vector<HistoryEntry>& history);

private:
    struct Told {
        std::size_t steps = 0;
        std::string_view state;
    };

    [[nodiscard]] std::string line(const TxView& transaction, const HistoryEntry& entry, Told& told) const;
    [[nodiscard]] std::string coloured(std::string_view text, std::string_view state) const;

    StoryOptions options_;
    std::map<TxId, Told> told_;
};

/// What a person calls it: the caller's own id, or the beginning of ours.
[[nodiscard]] std::string short_name(const TxView& transaction);

}  // namespace fencepost::demo
