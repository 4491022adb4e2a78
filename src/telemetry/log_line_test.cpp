// Both formats, and text that tries to forge lines.
#include "telemetry/log_line.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/bytes.hpp"
#include "base/text/printable.hpp"

namespace fencepost::telemetry {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr UnixTime noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 16} + 12h + 123us};

std::string line(LogFormat format, std::string_view message, std::initializer_list<LogField> fields = {},
                 std::span<const LogField> common = {}) {
    return to_line(
        {.time = noon, .severity = Severity::warning, .message = message, .fields = fields, .common_fields = common},
        format);
}

std::string json_of(std::string_view message, std::initializer_list<LogField> fields = {},
                    std::span<const LogField> common = {}) {
    return line(LogFormat::json, message, fields, common);
}
std::string text_of(std::string_view message, std::initializer_list<LogField> fields = {},
                    std::span<const LogField> common = {}) {
    return line(LogFormat::text, message, fields, common);
}

TEST(LogLine, FormatsAsJsonObject) {
    EXPECT_EQ(json_of("the lease was lost", {{"submitter", "eip155:1:0xab"}, {"fencingToken", "7"}}),
              R"({"time":"2026-11-16T12:00:00.000123Z","severity":"warning","message":"the lease was lost",)"
              R"("submitter":"eip155:1:0xab","fencingToken":"7"})"
              "\n");
}

TEST(LogLine, FormatsAsText) {
    EXPECT_EQ(text_of("the lease was lost", {{"submitter", "eip155:1:0xab"}, {"why", "it \"expired\""}, {"tx", ""}}),
              "2026-11-16T12:00:00.000123Z WARNING the lease was lost submitter=eip155:1:0xab "
              R"(why="it \"expired\"" tx="")"
              "\n");
}

TEST(LogLine, AppendsCommonFields) {
    const std::vector<LogField> common{{"node", "a/1"}, {"why", "common"}};
    EXPECT_TRUE(text_of("x", {{"tx", "1"}}, common).ends_with(" x tx=1 node=a/1 why=common\n"));
    const auto parsed = json::parse(json_of("x", {{"why", "its own"}}, common)).as_object();
    EXPECT_EQ(parsed.at("node"), "a/1");
    EXPECT_EQ(parsed.at("why"), "its own");
}

TEST(LogLine, FieldsCannotReplaceTimeSeverityOrMessage) {
    const auto parsed = json::parse(json_of("real", {{"message", "false"}, {"severity", "info"}})).as_object();
    EXPECT_EQ(parsed.at("message"), "real");
    EXPECT_EQ(parsed.at("severity"), "warning");
    EXPECT_EQ(parsed.at("message_"), "false");
}

TEST(LogLine, CannotBeForgedByUntrustedText) {
    const std::string forged = "x\n2026-11-16T12:00:00Z ALERT send money\r\x1b[2J\u202e";
    for (const auto format : {LogFormat::text, LogFormat::json}) {
        const auto written = line(format, forged, {{"why", forged}});
        EXPECT_EQ(std::ranges::count(written, '\n'), 1) << written;
        EXPECT_EQ(written.find_first_of("\r\x1b"), std::string::npos) << written;
        EXPECT_EQ(written.find("\u202e"), std::string::npos) << written;
    }
    EXPECT_TRUE(text_of("x", {{"why", "a tx=2"}}).ends_with(" why=\"a tx=2\"\n")) << "a value cannot add a field";
}

TEST(LogLine, TruncatesVeryLongValues) { EXPECT_LT(json_of(std::string(1'000'000, 'x')).size(), 5'000U); }

RC_GTEST_PROP(LogLineProperty, IsAlwaysOnePrintableLine, (const Bytes& message, const Bytes& field)) {
    const std::string said(message.begin(), message.end());
    const std::string value(field.begin(), field.end());
    for (const auto format : {LogFormat::text, LogFormat::json}) {
        auto written = line(format, said, {{"field", value}});
        RC_ASSERT(written.ends_with('\n'));
        written.pop_back();
        RC_ASSERT(printable(as_bytes(written), 1'000'000) == written);
    }
    const auto parsed = json::parse(json_of(said, {{"field", value}})).as_object();
    RC_ASSERT(parsed.at("message").as_string() == printable(message, 4'096));
    RC_ASSERT(parsed.at("field").as_string() == printable(field, 4'096));
}

}  // namespace
}  // namespace fencepost::telemetry
