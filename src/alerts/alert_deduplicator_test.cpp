// When alerts are sent at once, folded, repeated as reminders and forgotten.
#include "alerts/alert_deduplicator.hpp"

#include "alerts/test_alerts.hpp"

namespace fencepost::alerts {
namespace {

class AlertDeduplicatorTest : public InVirtualTime {
protected:
    void SetUp() override { world_.spawn(node_, deduplicator_.run()); }

    void raise(AlertKind kind, const SubmitterId& submitter = alice, std::string message = "trouble") {
        deduplicator_.raise(alert_of(kind, submitter, std::move(message)));
        world_.run_for(0s);
    }
    // A listener's notices as (kind, times, reminder).
    [[nodiscard]] std::vector<std::tuple<AlertKind, std::uint64_t, bool>> heard() const {
        std::vector<std::tuple<AlertKind, std::uint64_t, bool>> result;
        for (const auto& notice : listener_.heard)
            result.emplace_back(notice.alert.kind, notice.times, notice.reminder);
        return result;
    }

    Listener listener_;
    Listener second_;
    AlertDeduplicator deduplicator_{
        node_.executor(), clock_, {listener_, second_}, {.fold_interval = 10min, .max_remembered = 3}};
};

using enum AlertKind;
using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::SizeIs;

TEST_F(AlertDeduplicatorTest, SendsNewAlertToEverySinkAtOnce) {
    raise(protect);
    EXPECT_THAT(heard(), ElementsAre(FieldsAre(protect, 1, false)));
    EXPECT_EQ(listener_.heard, second_.heard);
    EXPECT_EQ(listener_.heard[0].alert, (Alert{protect, AlertLevel::critical, alice, "trouble"}));
    EXPECT_EQ(listener_.heard[0].at, clock_.unix_now());
}

TEST_F(AlertDeduplicatorTest, CountsRepeatsAndRemindsOnce) {
    for (int i = 0; i < 5; ++i) {
        raise(fee_capped, alice, "the price is " + std::to_string(i));
        world_.run_for(1min);
    }
    EXPECT_THAT(heard(), ElementsAre(FieldsAre(fee_capped, 1, false)));
    world_.run_for(6min);
    EXPECT_THAT(heard(), ElementsAre(FieldsAre(fee_capped, 1, false), FieldsAre(fee_capped, 4, true)));
    EXPECT_EQ(listener_.heard[1].alert.message, "the price is 4") << "the latest message is sent";
    world_.run_for(24h);
    EXPECT_THAT(heard(), SizeIs(2)) << "it was not raised again";
}

TEST_F(AlertDeduplicatorTest, RemindsOncePerIntervalWhileRepeating) {
    for (int i = 0; i < 60; ++i) {
        raise(underfunded);
        world_.run_for(1min);
    }
    EXPECT_THAT(heard(), SizeIs(1 + 6));
}

TEST_F(AlertDeduplicatorTest, IsNewAgainAfterQuietInterval) {
    raise(stuck);
    world_.run_for(11min);
    raise(stuck);
    EXPECT_THAT(heard(), ElementsAre(FieldsAre(stuck, 1, false), FieldsAre(stuck, 1, false)));
}

TEST_F(AlertDeduplicatorTest, DoesNotFoldOtherKindsOrSubmitters) {
    raise(protect, alice);
    raise(protect, bob);
    raise(stuck, alice);
    EXPECT_THAT(heard(), SizeIs(3));
}

TEST_F(AlertDeduplicatorTest, SendsEscalationAtOnceWithPreviousCount) {
    raise(grey_zone);
    raise(grey_zone);
    deduplicator_.raise({grey_zone, AlertLevel::critical, alice, "worse"});
    raise(grey_zone);
    EXPECT_THAT(heard(), ElementsAre(FieldsAre(grey_zone, 1, false), FieldsAre(grey_zone, 2, false)));
    EXPECT_EQ(listener_.heard[1].alert.level, AlertLevel::critical);
}

TEST_F(AlertDeduplicatorTest, FoldsLoggedAlertsByMessage) {
    raise(logged, alice, "one thing");
    raise(logged, alice, "another");
    raise(logged, alice, "one thing");
    EXPECT_THAT(heard(), SizeIs(2));
}

TEST_F(AlertDeduplicatorTest, BoundsRememberedAlerts) {
    for (const auto kind : {protect, stuck, underfunded, fee_capped})
        raise(kind);
    raise(fee_capped);
    EXPECT_THAT(heard(), SizeIs(4));
    raise(protect);
    EXPECT_THAT(heard(), SizeIs(5)) << "the first was forgotten, so it is sent again";
}

TEST_F(AlertDeduplicatorTest, DropsAlertRaisedDuringShutdown) {
    {
        AlertDeduplicator going(node_.executor(), clock_, {listener_});
        going.raise(alert_of(protect, alice, "too late"));
    }
    world_.run_for(1min);
    EXPECT_THAT(heard(), SizeIs(0));
}

}  // namespace
}  // namespace fencepost::alerts
