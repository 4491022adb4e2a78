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
using AlertKey = std::tuple<AlertKind, std::optional<SubmitterId>, std::string>;

AlertKey alert_key_of(const Alert& alert) {
    return {alert.kind, alert.submitter, alert.kind == AlertKind::logged ? alert.message : std::string()};
}

// What was last sent about one alert, and how often it was raised since.
struct AlertHistory {
    Instant due;
    AlertLevel level{};
    std::uint64_t repeats = 0;
    Alert last{};
};

}  // namespace

// Shared with posted work: an alert raised during shutdown is dropped.
struct AlertDeduplicator::State {
    Executor executor;
    Clock* clock;
    std::vector<std::reference_wrapper<AlertSink>> sinks;
    AlertDeduplicatorOptions options;
    std::map<AlertKey, AlertHistory> open{};
    Wakeup changed{executor};
    bool gone = false;

    void notify(const Notice& notice) const {
        for (AlertSink& sink : sinks)
            sink.notify(notice);
    }

    // Drops the entry that is due first.
    void make_room() {
        if (open.size() < options.max_remembered) return;
        open.erase(std::ranges::min_element(open, {}, [](const auto& entry) { return entry.second.due; }));
    }

    void take(Alert alert) {
        if (gone) return;
        auto alert_key = alert_key_of(alert);
        auto known = open.find(alert_key);
        if (known != open.end() && alert.level <= known->second.level) {
            ++known->second.repeats;
            known->second.last = std::move(alert);
            return;
        }
        if (known == open.end()) {
            make_room();
            known = open.try_emplace(std::move(alert_key)).first;
        }
        const auto before = known->second.repeats;
        known->second = {
            .due = clock->monotonic() + options.fold_interval, .level = alert.level, .repeats = 0, .last = alert};
        notify({.alert = std::move(alert), .at = clock->unix_now(), .times = before + 1});
        changed.notify();
    }

    // Sends a reminder for each entry that is due and was raised again; forgets the others.
    void check_due() {
        const auto now = clock->monotonic();
        for (auto entry = open.begin(); entry != open.end();) {
            auto& history = entry->second;
            if (history.due > now) {
                ++entry;
            } else if (history.repeats == 0) {
                entry = open.erase(entry);
            } else {
                notify({.alert = history.last,
                        .at = clock->unix_now(),
                        .times = std::exchange(history.repeats, 0),
                        .reminder = true});
                history.due = now + options.fold_interval;
                ++entry;
            }
        }
    }

    [[nodiscard]] std::optional<Instant> next_due() const {
        if (open.empty()) return std::nullopt;
        return std::ranges::min_element(open, {}, [](const auto& entry) { return entry.second.due; })->second.due;
    }
};

AlertDeduplicator::AlertDeduplicator(const Executor& executor, Clock& clock,
                                     std::vector<std::reference_wrapper<AlertSink>> sinks,
                                     AlertDeduplicatorOptions options)
    : state_(std::make_shared<State>(executor, &clock, std::move(sinks), options)) {}

AlertDeduplicator::~AlertDeduplicator() { state_->gone = true; }

void AlertDeduplicator::raise(Alert alert) {
    asio::post(state_->executor,
               [state = state_, alert = std::move(alert)]() mutable { state->take(std::move(alert)); });
}

Task<void> AlertDeduplicator::run() { return send_reminders(state_); }

// New entries are due later than existing ones, so a new entry never has to interrupt the sleep.
Task<void> AlertDeduplicator::send_reminders(std::shared_ptr<State> state) {
    while (true) {
        const auto due = state->next_due();
        if (!due) {
            co_await state->changed.wait();
            continue;
        }
        co_await state->clock->sleep_until(*due);
        state->check_due();
    }
}

}  // namespace fencepost::alerts
