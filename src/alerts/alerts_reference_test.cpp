// The page about alerts is the table in the code, and the table says something about every kind.
#include "alerts/alerts_reference.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ports/alert_guide.hpp"

namespace fencepost::alerts {
namespace {

using testing::HasSubstr;

TEST(AlertsReference, MatchesDocumentation) {
    std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/operating/alerts.md");
    const std::string written{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(written, alerts_markdown())
        << "docs/operating/alerts.md is stale: build/dev/bin/fencepost alerts --markdown >docs/operating/alerts.md";
}

TEST(AlertsReference, ExplainsEveryKindInSentencesOfItsOwn) {
    std::set<std::string_view> meanings;
    for (const auto& [kind, name] : enum_names<AlertKind>) {
        const auto guide = guide_to(kind);
        EXPECT_TRUE(guide.meaning.ends_with('.')) << name;
        EXPECT_TRUE(guide.what_to_do.ends_with('.')) << name;
        EXPECT_TRUE(meanings.insert(guide.meaning).second) << name << " means what another kind means";
        EXPECT_EQ(guide.meaning.find('|'), std::string_view::npos) << name << " breaks the table";
        EXPECT_EQ(guide.what_to_do.find('|'), std::string_view::npos) << name << " breaks the table";
    }
}

TEST(AlertsReference, TextAndTableNameKindLevelAndRunbook) {
    EXPECT_THAT(alerts_markdown(), HasSubstr("| `PROTECT` | `CRITICAL` | The submitter is stopped"));
    EXPECT_THAT(alerts_markdown(), HasSubstr("| [protect](runbooks/protect.md) |\n"));
    EXPECT_THAT(alerts_text(), HasSubstr("PROTECT  (CRITICAL)\n    The submitter is stopped"));
    EXPECT_THAT(alerts_text(), HasSubstr("    Runbook: docs/operating/runbooks/protect.md\n"));
}

}  // namespace
}  // namespace fencepost::alerts
