#include "sim/simulation/event_checker.hpp"

#include <fmt/format.h>

namespace fencepost::sim {
namespace {

constexpr std::size_t page = 50;
constexpr Duration pause = std::chrono::seconds(1);

}  // namespace

Task<void> EventChecker::read(EventLog* log, Clock* clock) {
    while (true) {
        const auto events = co_await log->read_after(position_, page);
        if (events) take(*events);
        if (!events || events->size() < page) co_await clock->sleep_for(pause);
    }
}

void EventChecker::take(const std::vector<LoggedEvent>& events) {
    for (const auto& [position, event] : events) {
        if (position <= position_) {
            violations_.report(world_.now(), "events come once, in order", "an event was repeated or came out of order",
                               event.tx);
        }
        position_ = position;
        auto& event_names = reported_[event.tx];
        if (event.sequence != EventSequence(event_names.size() + 1)) {
            violations_.report(world_.now(), "events come once, in order",
                               fmt::format("event {} after {} events", event.sequence, event_names.size()), event.tx);
        }
        event_names.emplace_back(name_of(event.body));
    }
}

EventChecker::EventNames EventChecker::event_names(TxId tx) const {
    const auto found = reported_.find(tx);
    return found == reported_.end() ? EventNames{} : found->second;
}

}  // namespace fencepost::sim
