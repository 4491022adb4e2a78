#include "ports/alerts.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ports/alert_thresholds.hpp"
#include "ports/logged_alerts.hpp"

namespace fencepost {
namespace {

TEST(Alerts, PositionsThatNeedAnOperatorHaveAnAlertKind) {
    EXPECT_EQ(alert_for({State::unknown_submit_result, SubState::none}), AlertKind::grey_zone);
    EXPECT_EQ(alert_for({State::stuck, SubState::none}), AlertKind::stuck);
    EXPECT_EQ(alert_for({State::stuck, SubState::timeout}), AlertKind::stuck);
    EXPECT_EQ(alert_for({State::stuck, SubState::nonce_taken}), AlertKind::nonce_taken);
}

TEST(Alerts, OtherPositionsHaveNoAlertKind) {
    for (const auto state : {State::queued, State::allocated, State::tracking, State::confirmed, State::failed_final,
                             State::cancelled, State::rejected}) {
        for (const auto& [sub, name] : enum_names<SubState>) {
            EXPECT_FALSE(needs_operator({state, sub})) << name_of(state) << name;
            EXPECT_EQ(alert_for({state, sub}), std::nullopt) << name_of(state) << name;
        }
    }
}

TEST(Alerts, LevelsAreAsRequired) {
    EXPECT_EQ(default_level(AlertKind::reserved_above_threshold), AlertLevel::error);
    EXPECT_EQ(default_level(AlertKind::reconcile_failure), AlertLevel::critical);
    EXPECT_EQ(default_level(AlertKind::grey_zone), AlertLevel::warning);
}

TEST(AlertThresholds, DefaultAllowsAHundredReservedNonces) {
    const AlertThresholds thresholds;
    EXPECT_EQ(thresholds.reserved, 100U);
    EXPECT_EQ(thresholds.reconcile_failures, 3U);
    EXPECT_EQ(thresholds.fenced, 5U);
    EXPECT_EQ(thresholds.backlog_windows, 3U);
    EXPECT_EQ(thresholds.min_backlog, 100U);
    EXPECT_EQ(thresholds.resubmit_percent, 50U);
    EXPECT_EQ(thresholds.min_resubmits, 20U);
}

class KeptLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        lines.emplace_back(severity, std::string(message) + " " + fields.begin()->value);
    }
    std::vector<std::pair<Severity, std::string>> lines;
};

TEST(LoggedAlerts, LogSeverityFollowsTheAlertLevel) {
    KeptLog log;
    LoggedAlerts alerts(log);
    alerts.raise(alert_of(AlertKind::fee_capped, std::nullopt, "dear"));
    alerts.raise(alert_of(AlertKind::protect, std::nullopt, "stopped"));
    using Line = std::pair<Severity, std::string>;
    EXPECT_EQ(log.lines,
              (std::vector<Line>{{Severity::warning, "dear FEE_CAPPED"}, {Severity::alert, "stopped PROTECT"}}));
}

}  // namespace
}  // namespace fencepost
