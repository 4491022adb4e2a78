#include "demo/watcher.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::demo {
namespace {

using namespace std::chrono_literals;

constexpr Duration interval = 100ms;

// Entries that one commit wrote for several transactions are printed in the order of the transactions.
using Moment = std::chrono::duration<std::int64_t, std::centi>;

}  // namespace

Watcher::Watcher(Queries& store, Clock& clock, const HistoryFormatterOptions& options, Print print)
    : store_(store),
      clock_(clock),
      formatter_(options),
      since_(options.since),
      print_(std::move(print)) {}

Task<void> Watcher::run() {
    for (;;) {
        co_await find_new();
        const auto unfinished = unfinished_;
        Lines lines;
        for (const auto& id : unfinished)
            co_await follow(id, &lines);
        for (const auto& [at, line] : lines)
            print_(line);
        co_await clock_.sleep_for(interval);
    }
}

// If the store does not answer, the next poll tries again.
Task<void> Watcher::find_new() {
    for (;;) {
        const auto found = co_await store_.list({.after = seen_});
        if (!found || found->empty()) co_return;
        for (const auto& transaction : *found) {
            seen_ = transaction.sequence;
            if (is_final(transaction.position.state) && transaction.updated_at < since_) continue;
            unfinished_.push_back(transaction.id);
        }
    }
}

Task<void> Watcher::follow(TxId id, Lines* lines) {
    // Reads the history after the state, so that the history of a settled transaction is complete.
    const auto transaction = co_await store_.by_id(id);
    const auto history = co_await store_.history(id);
    if (!transaction || !*transaction || !history) co_return;
    for (auto& line : formatter_.format_new(**transaction, *history))
        lines->emplace(std::chrono::floor<Moment>(line.at), std::move(line.text));
    if (!is_final((*transaction)->position.state)) co_return;
    std::erase(unfinished_, id);
    if ((*transaction)->request) settled_.insert((*transaction)->request->value());
}

Task<void> Watcher::settled(std::set<std::string> request_ids) {
    while (!std::ranges::includes(settled_, request_ids))
        co_await clock_.sleep_for(interval);
}

}  // namespace fencepost::demo
