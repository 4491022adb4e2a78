// Which counts per window raise an alert.
#include "alerts/threshold_watch.hpp"

#include "alerts/test_alerts.hpp"
#include "alerts/watched_telemetry.hpp"

namespace fencepost::alerts {
namespace {

using enum AlertKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<AlertKind> kinds(const std::vector<Alert>& alerts) {
    std::vector<AlertKind> result;
    for (const auto& alert : alerts)
        result.push_back(alert.kind);
    return result;
}

TEST(ThresholdWatchTest, AlertsOnFencedWriteSpike) {
    ThresholdWatch watch({.fenced = 5});
    EXPECT_THAT(watch.judge({.fenced = 5}), IsEmpty());
    EXPECT_THAT(kinds(watch.judge({.fenced = 6})), ElementsAre(fenced_spike));
    EXPECT_THAT(watch.judge({}), IsEmpty());
}

TEST(ThresholdWatchTest, AlertsOnGrowingReceiptBacklog) {
    ThresholdWatch watch({.backlog_windows = 2, .min_backlog = 100});
    const auto judged = [&watch](std::uint64_t backlog) { return kinds(watch.judge({.receipt_backlog = backlog})); };
    EXPECT_THAT(judged(500), IsEmpty()) << "nothing to compare with";
    EXPECT_THAT(judged(510), IsEmpty());
    EXPECT_THAT(judged(520), ElementsAre(receipt_backlog));
    EXPECT_THAT(judged(520), IsEmpty()) << "it stands";
    EXPECT_THAT(judged(530), IsEmpty()) << "the count restarts";
    EXPECT_THAT(judged(531), ElementsAre(receipt_backlog));
    EXPECT_THAT(judged(97), IsEmpty());
    EXPECT_THAT(judged(98), IsEmpty());
    EXPECT_THAT(judged(99), IsEmpty()) << "a small backlog is normal traffic";
    EXPECT_THAT(judged(100), ElementsAre(receipt_backlog));
}

TEST(ThresholdWatchTest, AlertsOnHighResendRate) {
    ThresholdWatch watch({.resubmit_percent = 50, .min_resubmits = 20});
    EXPECT_THAT(watch.judge({.submits = 19, .resubmits = 19}), IsEmpty()) << "too few to judge";
    EXPECT_THAT(watch.judge({.submits = 40, .resubmits = 20}), IsEmpty());
    EXPECT_THAT(kinds(watch.judge({.submits = 39, .resubmits = 20})), ElementsAre(resubmit_rate));
}

class CountedTelemetry final : public Telemetry {
public:
    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        counted.emplace_back(counter, label, by);
    }
    void observe(Latency latency, Duration took) override { observed.emplace_back(latency, took); }
    std::vector<std::tuple<Counter, std::string, std::uint64_t>> counted;
    std::vector<std::pair<Latency, Duration>> observed;
};

class WatchedTelemetryTest : public InVirtualTime {
protected:
    CountedTelemetry next_;
    RaisedAlerts alerts_;
    std::uint64_t backlog_ = 0;
    WatchedTelemetry watched_{next_, clock_, alerts_, [this] { return backlog_; }, {.window = 1min}};
};

TEST_F(WatchedTelemetryTest, ForwardsCountsAndJudgesWindowsSeparately) {
    world_.spawn(node_, watched_.run());
    Telemetry& telemetry = watched_;
    telemetry.count(Counter::lease_fenced, "write", 4);
    telemetry.count(Counter::finality, "confirmed", 100);
    world_.run_for(90s);
    telemetry.count(Counter::lease_fenced, "write", 4);
    world_.run_for(1min);
    EXPECT_THAT(alerts_.raised, IsEmpty()) << "four in each of two windows";
    telemetry.count(Counter::lease_fenced, "write", 6);
    telemetry.count(Counter::tx_submit, "success", 30);
    telemetry.count(Counter::resubmit, "claimed", 25);
    for (backlog_ = 100; backlog_ < 105; ++backlog_)
        world_.run_for(1min);
    EXPECT_THAT(kinds(alerts_.raised),
                ElementsAre(fenced_spike, resubmit_rate, receipt_backlog, receipt_backlog, receipt_backlog));
    EXPECT_THAT(next_.counted, ::testing::Contains(std::tuple(Counter::finality, "confirmed", 100U)));
    EXPECT_THAT(next_.counted, ::testing::SizeIs(6));
}

TEST_F(WatchedTelemetryTest, ForwardsLatencies) {
    Telemetry& telemetry = watched_;
    telemetry.observe(Latency::accept, 5ms);
    EXPECT_THAT(next_.observed, ElementsAre(std::pair(Latency::accept, Duration(5ms))));
}

}  // namespace
}  // namespace fencepost::alerts
