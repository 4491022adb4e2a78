// Looks again and again at what happens to transactions, and prints their stories: the samples', and those of whoever
// tries the service out meanwhile.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "demo/story.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

class Watcher {
public:
    using Print = std::function<void(const std::string&)>;

    /// `store` is asked on the executor that run() is run on.
    Watcher(Queries& store, Clock& clock, const StoryOptions& options, Print print);

    /// Until cancelled. What was settled before the story begins is not looked at.
    [[nodiscard]] Task<void> run();
    /// Returns when each of these has been seen settled.
    [[nodiscard]] Task<void> settled(std::set<std::string> request_ids);

private:
    [[nodiscard]] Task<void> find_new();
    /// What happened at the same moment stays in order.
    using Lines = std::multimap<UnixTime, std::string>;
    [[nodiscard]] Task<void> follow(TxId id, Lines* lines);

    Queries& store_;
    Clock& clock_;
    Story story_;
    UnixTime since_;
    Print print_;
    AcceptSequence seen_;
    std::vector<TxId> unfinished_;  // in the order of acceptance
    std::set<std::string> settled_;
};

}  // namespace fencepost::demo
