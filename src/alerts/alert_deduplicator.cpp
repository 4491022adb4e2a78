// Folds repeated alerts and sends reminders.
#include "alerts/alert_deduplicator.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/async/wakeup.hpp"

namespace fencepost::alerts {
namespace {

// An alert that came through the log has no kind of its own; its message identifies it.
using Trouble = std::tuple<AlertKind, std::optional<SubmitterId>, std::string>;

Trouble trouble_of(const Alert& alert) {
    return {alert.kind, alert.submitter, alert.kind == AlertKind::logged ? alert.message : std::string()};
}

// What was last sent about one alert, and how often it was raised since.
struct Told {
    Instant due;
    AlertLevel level{};
    std::uint64_t repeats = 0;
    Alert last{};
};

}  // namespace

// Shared with posted work: an alert raised during shutdown is dropped.
struct AlertDesk::State {
    Executor executor;
    Clock* clock;
    std::vector<std::reference_wrapper<AlertSink>> sinks;
    AlertDeskOptions options;
    std::map<Trouble, Told> open{};
    Wakeup changed{executor};
    bool gone = false;

    void tell(const Notice& notice) const {
        for (AlertSink& sink : sinks)
            sink.tell(notice);
    }

    // Drops the entry that is due first.
    void make_room() {
        if (open.size() < options.remembered) return;
        open.erase(std::ranges::min_element(open, {}, [](const auto& entry) { return entry.second.due; }));
    }

    void take(Alert alert) {
        if (gone) return;
        auto trouble = trouble_of(alert);
        auto known = open.find(trouble);
        if (known != open.end() && alert.level <= known->second.level) {
            ++known->second.repeats;
            known->second.last = std::move(alert);
            return;
        }
        if (known == open.end()) {
            make_room();
            known = open.try_emplace(std::move(trouble)).first;
        }
        const auto before = known->second.repeats;
        known->second = {
            .due = clock->monotonic() + options.fold_interval, .level = alert.level, .repeats = 0, .last = alert};
        tell({.alert = std::move(alert), .at = clock->unix_now(), .times = before + 1});
        changed.ring();
    }

    // Sends a reminder for each entry that is due and was raised again; forgets the others.
    void look() {
        const auto now = clock->monotonic();
        for (auto entry = open.begin(); entry != open.end();) {
            auto& told = entry->second;
            if (told.due > now) {
                ++entry;
            } else if (told.repeats == 0) {
                entry = open.erase(entry);
            } else {
                tell({.alert = told.last,
                      .at = clock->unix_now(),
                      .times = std::exchange(told.repeats, 0),
                      .reminder = true});
                told.due = now + options.fold_interval;
                ++entry;
            }
        }
    }

    [[nodiscard]] std::optional<Instant> next_due() const {
        if (open.empty()) return std::nullopt;
        return std::ranges::min_element(open, {}, [](const auto& entry) { return entry.second.due; })->second.due;
    }
};

AlertDesk::AlertDesk(const Executor& executor, Clock& clock, std::vector<std::reference_wrapper<AlertSink>> sinks,
                     AlertDeskOptions options)
    : state_(std::make_shared<State>(executor, &clock, std::move(sinks), options)) {}

AlertDesk::~AlertDesk() { state_->gone = true; }

void AlertDesk::raise(Alert alert) {
    asio::post(state_->executor,
               [state = state_, alert = std::move(alert)]() mutable { state->take(std::move(alert)); });
}

Task<void> AlertDesk::run() { return remind(state_); }

// New entries are due later than existing ones, so a new entry never has to interrupt the sleep.
Task<void> AlertDesk::remind(std::shared_ptr<State> state) {
    while (true) {
        const auto due = state->next_due();
        if (!due) {
            co_await state->changed.wait();
            continue;
        }
        co_await state->clock->sleep_until(*due);
        state->look();
    }
}

}  // namespace fencepost::alerts
