#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

constexpr Paint no_colours{};
constexpr Paint colours{.colours = true};

TEST(Table, FitsColumnsToTheirContent) {
    Table table({"NAME", "STATE"});
    EXPECT_TRUE(table.empty());
    table.add({{"a"}, {"ready"}});
    table.add({{"longer"}, {"x"}});
    EXPECT_FALSE(table.empty());
    EXPECT_EQ(table.to_string(no_colours), "NAME    STATE\na       ready\nlonger  x\n");
}

TEST(Table, MeasuresWidthInCharacters) {
    Table table({"A", "B"});
    table.add({{"…"}, {"x"}});
    EXPECT_EQ(table.to_string(no_colours), "A  B\n…  x\n");
}

TEST(Table, ShowsADashForAnEmptyCell) {
    Table table({"A", "B"});
    table.add({{""}, {"x"}});
    EXPECT_EQ(table.to_string(no_colours), "A  B\n-  x\n");
}

TEST(Table, AlignsColumnsWithColours) {
    Table table({"A", "B"});
    table.add({Cell("good", Style::good), {"x"}});
    EXPECT_TRUE(table.to_string(colours).contains("\x1b[32mgood\x1b[0m  x"));
    EXPECT_FALSE(table.to_string(no_colours).contains('\x1b'));
}

TEST(Sheet, OmitsEmptyProperties) {
    Sheet sheet;
    sheet.add("state", {"QUEUED"});
    sheet.add("hash", {""});
    sheet.add("confirmations", {"3"});
    EXPECT_EQ(sheet.to_string(no_colours), "state          QUEUED\nconfirmations  3\n");
}

TEST(Paint, MapsStatesToStyles) {
    EXPECT_EQ(style_of("CONFIRMED"), Style::good);
    EXPECT_EQ(style_of("FAILED_FINAL / TIMEOUT"), Style::bad);
    EXPECT_EQ(style_of("STUCK"), Style::attention);
    EXPECT_EQ(style_of("TRACKING / MINED"), Style::plain);
}

}  // namespace
}  // namespace fencepost::cli
