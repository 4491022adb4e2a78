#include "config/sources/yaml_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FlatFile read(const std::string& text) { return read_yaml({.name = "f.yaml", .text = text}); }

std::vector<std::string> yaml_problems(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& problem : read(text).problems)
        lines.push_back(problem.to_string());
    return lines;
}

TEST(YamlFile, IsFlattenedWithLinesAndColumns) {
    const auto flat = read("listen: a:1\nlease:\n  duration: 10s\n  x.y: [1, two]\n");
    EXPECT_THAT(flat.problems, IsEmpty());
    ASSERT_EQ(flat.settings.size(), 3U);
    EXPECT_EQ(flat.settings[1].path, "lease.duration");
    EXPECT_THAT(flat.settings[1].items, ElementsAre("10s"));
    EXPECT_EQ(flat.settings[1].place.to_string(), "f.yaml:3:13");
    EXPECT_EQ(flat.settings[2].path, "lease.x.y");
    EXPECT_TRUE(flat.settings[2].is_list);
    EXPECT_THAT(flat.settings[2].items, ElementsAre("1", "two"));
}

TEST(YamlFile, MayBeEmpty) {
    for (const auto* text : {"", "\n", "# nothing\n", "---\n", "{}"}) {
        const auto flat = read(text);
        EXPECT_THAT(flat.settings, IsEmpty()) << text;
        EXPECT_THAT(flat.problems, IsEmpty()) << text;
    }
}

TEST(YamlFile, RejectsAnythingButAMap) {
    EXPECT_THAT(yaml_problems("hello"), ElementsAre(HasSubstr("is a map")));
    EXPECT_THAT(yaml_problems("[1, 2]"), ElementsAre(HasSubstr("is a map, not a list")));
    EXPECT_THAT(yaml_problems("- a: 1\n- b: 2\n"), ElementsAre(HasSubstr("is a map, not a list")));
}

TEST(YamlFile, ReportsDuplicateKeys) {
    EXPECT_THAT(yaml_problems("a: 1\nb: 2\na: 3\n"), ElementsAre("f.yaml:3:1: \"a\" is set twice"));
    EXPECT_THAT(yaml_problems("a: {b: 1}\na: {c: 1}\n"), ElementsAre("f.yaml:2:1: \"a\" is set twice"));
}

TEST(YamlFile, RejectsAnchorsAndAliases) {
    EXPECT_THAT(yaml_problems("a: &x 1\nb: *x\n"), ElementsAre(HasSubstr("f.yaml:1:4: anchors are not supported"),
                                                               HasSubstr("f.yaml:2:4: aliases are not supported")));
    EXPECT_THAT(yaml_problems("a: &x {b: 1}\nc: {<<: *x}\n"), testing::SizeIs(2));
}

// Ten levels of ten aliases each: followed, they would be ten thousand million values.
TEST(YamlFile, RejectsAnAliasBombInLinearTime) {
    std::string text = "a0: &a0 [x]\n";
    for (int level = 1; level <= 10; ++level) {
        text += fmt::format("a{0}: &a{0} [", level);
        for (int i = 0; i < 10; ++i)
            text += fmt::format("*a{}, ", level - 1);
        text += "]\n";
    }
    const auto flat = read(text);
    EXPECT_EQ(flat.problems.size(), 111U);
    EXPECT_LE(flat.settings.size(), 11U);
}

TEST(YamlFile, ReportsTheLineOfInvalidYaml) {
    EXPECT_THAT(yaml_problems("a: 1\n\tb: 2\n"), ElementsAre(HasSubstr("f.yaml:2:1: invalid YAML")));
    EXPECT_THAT(yaml_problems("a: [1, 2\n"), ElementsAre(HasSubstr("invalid YAML")));
    EXPECT_THAT(yaml_problems("a: 1\n b: 2\n"), ElementsAre(HasSubstr("f.yaml:2")));
    for (const auto* text : {"a: \"x\n", "a: \"x\nb: 1\n\n", "a: 'x\n", "a: {b: 1\nc: 2\n"})
        EXPECT_THAT(yaml_problems(text), ElementsAre(HasSubstr("invalid YAML"))) << text;
}

TEST(YamlFile, RejectsTagsMapKeysAndSeveralDocuments) {
    EXPECT_THAT(yaml_problems("a: !!int 1\n"), ElementsAre(HasSubstr("tags are not supported")));
    EXPECT_THAT(yaml_problems("? {x: 1}\n: 2\n"), ElementsAre(HasSubstr("a key must be a plain word")));
    EXPECT_THAT(yaml_problems("~: 2\n"), ElementsAre(HasSubstr("a key must be a plain word")));
    EXPECT_THAT(yaml_problems("a: 1\n---\na: 2\n"), ElementsAre(HasSubstr("more than one document")));
}

TEST(YamlFile, RejectsKeysWithoutAValue) {
    EXPECT_THAT(yaml_problems("a:\nb: ~\n"),
                ElementsAre(HasSubstr("\"a\": has no value"), HasSubstr("\"b\": has no value")));
}

TEST(YamlFile, RejectsListsOfMaps) {
    EXPECT_THAT(yaml_problems("chains:\n  - id: 1\n  - id: 2\n"),
                ElementsAre(HasSubstr("needs a name"), HasSubstr("3:5")));
}

TEST(YamlFile, RejectsDeepOrLargeFiles) {
    std::string deep;
    for (int i = 0; i < 100; ++i)
        deep += "{a: ";
    deep += "1" + std::string(100, '}');
    EXPECT_THAT(yaml_problems(deep), ElementsAre(HasSubstr("nesting is too deep")));
    EXPECT_THAT(yaml_problems(std::string(100'000, '[')), ElementsAre(HasSubstr("invalid YAML")));
    EXPECT_THAT(yaml_problems(std::string(2'000'000, ' ')), ElementsAre(HasSubstr("larger than 1 MiB")));
}

TEST(YamlFile, EscapesControlCharactersInProblems) {
    for (const auto& line : yaml_problems("\"a\\e[2J\": 1\n\"a\\e[2J\": 2\n"))
        EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
}

}  // namespace
}  // namespace fencepost::config
