// Polls the store and prints what happens to transactions: to the samples, and to those that the user submits.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "demo/history_formatter.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

class Watcher {
public:
    using Print = std::function<void(const std::string&)>;

    /// `store` is used on the executor of run().
    Watcher(Queries& store, Clock& clock, const HistoryFormatterOptions& options, Print print);

    /// Runs until it is cancelled. Transactions that were settled before the start are ignored.
    [[nodiscard]] Task<void> run();
    /// Returns when all of these have been seen settled.
    [[nodiscard]] Task<void> settled(std::set<std::string> request_ids);

private:
    [[nodiscard]] Task<void> find_new();
    /// Entries with the same time stay in order.
    using Lines = std::multimap<UnixTime, std::string>;
    [[nodiscard]] Task<void> follow(TxId id, Lines* lines);

    Queries& store_;
    Clock& clock_;
    HistoryFormatter formatter_;
    UnixTime since_;
    Print print_;
    AcceptSequence seen_;
    std::vector<TxId> unfinished_;  // in the order of acceptance
    std::set<std::string> settled_;
};

}  // namespace fencepost::demo
