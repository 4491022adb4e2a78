// The log and webhook sinks: what they deliver, and what happens when the receiver is unavailable.
#include <boost/json/parse.hpp>

#include "alerts/alerting_log.hpp"
#include "alerts/log_sink.hpp"
#include "alerts/test_alerts.hpp"
#include "alerts/webhook_sink.hpp"

namespace fencepost::alerts {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TEST(LogSinkTest, LogSeverityFollowsTheAlertLevel) {
    RecordedLog log;
    LogSink sink(log);
    sink.notify({.alert = alert_of(AlertKind::fee_capped, alice, "the cap is reached"), .at = {}, .times = 3});
    sink.notify({.alert = alert_of(AlertKind::protect, std::nullopt, "stopped"), .at = {}});
    ASSERT_THAT(log.lines, SizeIs(2));
    EXPECT_EQ(log.lines[0].severity, Severity::warning);
    EXPECT_EQ(log.lines[0].message, "the cap is reached");
    EXPECT_THAT(log.lines[0].fields, ElementsAre(Pair("alert", "FEE_CAPPED"), Pair("level", "WARNING"),
                                                 Pair("submitter", alice.to_string()), Pair("times", "3")));
    EXPECT_EQ(log.lines[1].severity, Severity::alert);
}

TEST(LogSinkTest, RepeatsLoggedAlertOnlyAsReminder) {
    RecordedLog log;
    LogSink sink(log);
    Notice notice{.alert = alert_of(AlertKind::logged, alice, "x"), .at = {}};
    sink.notify(notice);
    EXPECT_THAT(log.lines, IsEmpty());
    notice.reminder = true;
    sink.notify(notice);
    EXPECT_THAT(log.lines, SizeIs(1));
}

TEST(AlertingLogTest, RaisesLinesOfSeverityAlert) {
    RecordedLog plain;
    RaisedAlerts alerts;
    AlertingLog log(plain, alerts);
    log.write(Severity::warning, "not yet", {});
    log.write(Severity::alert, "now", {{"why", "so"}, {"submitter", bob.to_string()}});
    log.write(Severity::alert, "of the node", {{"submitter", "no CAIP-10 id"}});
    EXPECT_THAT(plain.lines, SizeIs(3));
    EXPECT_THAT(alerts.raised, ElementsAre(Alert{AlertKind::logged, AlertLevel::error, bob, "now"},
                                           Alert{AlertKind::logged, AlertLevel::error, std::nullopt, "of the node"}));
}

class AuditedLog final : public Log {
public:
    void write(Severity /*severity*/, std::string_view /*message*/,
               std::initializer_list<LogField> /*fields*/) override {}
    void write_audit(std::string_view message, std::initializer_list<LogField> /*fields*/) override {
        audits.emplace_back(message);
    }
    std::vector<std::string> audits;
};

TEST(AlertingLogTest, ForwardsAuditLines) {
    AuditedLog plain;
    RaisedAlerts alerts;
    AlertingLog log(plain, alerts);
    log.write_audit("paused", {{"by", "boss"}});
    EXPECT_THAT(plain.audits, ElementsAre("paused"));
    EXPECT_THAT(alerts.raised, IsEmpty());
}

class ScriptedPoster final : public HttpPoster {
public:
    Task<Result<std::string, PostError>> post(HttpPost post, Duration /*limit*/) override {
        bodies.push_back(boost::json::parse(post.body).as_object());
        if (fail > 0) {
            --fail;
            co_return err(PostError::unavailable);
        }
        co_return "";
    }
    std::vector<boost::json::object> bodies;
    int fail = 0;
};

class WebhookTest : public InVirtualTime {
protected:
    void SetUp() override { world_.spawn(node_, sink_.run()); }
    void notify(std::string message) {
        sink_.notify({.alert = alert_of(AlertKind::stuck, alice, std::move(message)), .at = clock_.unix_now()});
    }
    [[nodiscard]] std::vector<std::string> messages() const {
        std::vector<std::string> result;
        for (const auto& body : poster_.bodies)
            result.emplace_back(body.at("message").as_string());
        return result;
    }

    ScriptedPoster poster_;
    WebhookSink sink_{node_.executor(), poster_, clock_, log_, {.initial_pause = 1s, .tries = 3, .waiting = 2}};
};

TEST_F(WebhookTest, PostsNoticeAsJson) {
    sink_.notify({.alert = alert_of(AlertKind::protect, bob, "a \"quoted\" text"),
                  .at = UnixTime(1s),
                  .times = 7,
                  .reminder = true});
    sink_.notify({.alert = alert_of(AlertKind::chain_silent, std::nullopt, "no blocks"), .at = UnixTime(1s)});
    world_.run_for(1s);
    ASSERT_THAT(poster_.bodies, SizeIs(2));
    EXPECT_EQ(poster_.bodies[0], (boost::json::object{{"kind", "PROTECT"},
                                                      {"level", "CRITICAL"},
                                                      {"submitter", bob.to_string()},
                                                      {"message", "a \"quoted\" text"},
                                                      {"at", "1970-01-01T00:00:01.000000Z"},
                                                      {"times", 7},
                                                      {"reminder", true},
                                                      {"lost", 0}}));
    EXPECT_TRUE(poster_.bodies[1].at("submitter").is_null());
}

TEST_F(WebhookTest, RetriesUnavailableReceiver) {
    poster_.fail = 2;
    notify("one");
    world_.run_for(2s);
    EXPECT_THAT(messages(), ElementsAre("one", "one"));
    world_.run_for(2s);
    notify("two");
    world_.run_for(1s);
    EXPECT_THAT(messages(), ElementsAre("one", "one", "one", "two"));
    EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebhookTest, DropsRefusedNoticeAndReportsLossInNext) {
    poster_.fail = 3;
    notify("bad");
    notify("good");
    notify("better");
    world_.run_for(1min);
    EXPECT_THAT(messages(), ElementsAre("good", "good", "good", "better")) << "at most two are queued";
    EXPECT_EQ(poster_.bodies[3].at("lost"), 2);
    EXPECT_THAT(log_.lines, SizeIs(2));
    notify("last");
    world_.run_for(1s);
    EXPECT_EQ(poster_.bodies[4].at("lost"), 0);
}

}  // namespace
}  // namespace fencepost::alerts
