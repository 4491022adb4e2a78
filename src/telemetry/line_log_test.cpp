// Format, minimum severity and audit lines.
#include "telemetry/line_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::telemetry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant monotonic() const override { return {}; }
    [[nodiscard]] UnixTime unix_now() const override { return UnixTime(std::chrono::seconds(1)); }
    [[nodiscard]] Task<void> sleep_until(Instant /*deadline*/) override { co_return; }
    [[nodiscard]] Task<void> wait_until(Wakeup* /*bell*/, Instant /*deadline*/) override { co_return; }
};

class RecordedLines final : public LineSink {
public:
    void take(std::string line) override { lines.push_back(std::move(line)); }
    std::vector<std::string> lines;
};

TEST(LineLog, WritesOneLinePerEntryWithClockTime) {
    const FixedClock clock;
    RecordedLines kept;
    LineLog lines(clock, kept, {.common_fields = {{"node", "a"}}});
    Log& log = lines;
    log.write(Severity::info, "first");
    log.write(Severity::alert, "second", {{"tx", "7"}});
    EXPECT_THAT(kept.lines, ElementsAre("1970-01-01T00:00:01.000000Z INFO    first node=a\n",
                                        "1970-01-01T00:00:01.000000Z ALERT   second tx=7 node=a\n"));
}

TEST(LineLog, OmitsEntriesBelowMinimumSeverity) {
    const FixedClock clock;
    RecordedLines kept;
    LineLog lines(clock, kept, {.format = LogFormat::json, .least = Severity::warning});
    Log& log = lines;
    log.write(Severity::info, "left out");
    log.write(Severity::warning, "kept");
    log.write(Severity::alert, "kept, too");
    EXPECT_THAT(kept.lines, ElementsAre(HasSubstr("\"kept\""), HasSubstr("\"kept, too\"")));
}

TEST(LineLog, AlwaysWritesAuditLines) {
    const FixedClock clock;
    RecordedLines kept;
    LineLog lines(clock, kept, {.least = Severity::alert});
    Log& log = lines;
    log.write(Severity::info, "left out");
    log.write_audit("kept", {{"by", "boss"}});
    EXPECT_THAT(kept.lines, ElementsAre("1970-01-01T00:00:01.000000Z INFO    kept by=boss\n"));
}

TEST(LineLog, ReportsDisabledSeverities) {
    const FixedClock clock;
    RecordedLines kept;
    LineLog usual(clock, kept);
    const Log& log = usual;
    EXPECT_FALSE(log.enabled(Severity::debug)) << "not at the default level";
    EXPECT_TRUE(log.enabled(Severity::info));
    LineLog all(clock, kept, {.least = Severity::debug});
    Log& verbose = all;
    EXPECT_TRUE(verbose.enabled(Severity::debug));
    verbose.write(Severity::debug, "each step");
    EXPECT_THAT(kept.lines, ElementsAre("1970-01-01T00:00:01.000000Z DEBUG   each step\n"));
}

}  // namespace
}  // namespace fencepost::telemetry
