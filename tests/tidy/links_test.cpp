#include "links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Links, EachLeadsToAFileOrAHeading) { EXPECT_TRUE(clean(broken_links(project()))); }

TEST(Links, LeadFromTheIndexToEveryPage) { EXPECT_TRUE(clean(unlisted_pages(project()))); }

TEST(LinksRule, ReadsLinksImagesAndDefinitions) {
    EXPECT_THAT(links_in("[a](a.md) and ![b](b.png \"title\")\n[c](<c.md#d>)\n[e]: ../e.md\n"),
                ElementsAre(Link{1, "a.md"}, Link{1, "b.png"}, Link{2, "c.md#d"}, Link{3, "../e.md"}));
}

TEST(LinksRule, ReadsNoLinkOutOfCode) {
    EXPECT_THAT(links_in("`[a](a.md)`\n```sh\n[b](b.md)\n```\n[`c`](c.md)\n"), ElementsAre(Link{5, "c.md"}));
}

TEST(LinksRule, MakesAnchorsAsGitHubDoes) {
    EXPECT_THAT(anchors_in("# The API\n## What's `new`?\n### Send, and wait\n## A – B\n"),
                ElementsAre("a--b", "send-and-wait", "the-api", "whats-new"));
    EXPECT_THAT(anchors_in("# Same\n# Same\n```\n# no heading\n```\n<a id=\"here\"></a>\n#no\n"),
                ElementsAre("here", "same", "same-1"));
    EXPECT_THAT(anchors_in("## See [this](x.md)\n"), ElementsAre("see-this"));
}

// Findings about one page, beside which there are a page with a heading and a folder.
std::string judge_links(const std::string& text) {
    return report(broken_links({{"docs/a.md", text}, {"docs/b.md", "# Here\n"}, {"src/x/y.cpp", ""}, {"top.md", ""}}));
}

TEST(LinksRule, TakesFilesFoldersHeadingsAndOtherSites) {
    EXPECT_EQ(judge_links("# Own\n[1](b.md) [2](b.md#here) [3](#own) [4](../src/x) [5](../src/x/) [6](./../top.md)\n"
                          "[7](https://example.com/none.md#x) [8](mailto:a@example.com) [9](../src/x/y.cpp#L3)\n"),
              "");
}

TEST(LinksRule, RefusesAFileThatIsNotThere) {
    EXPECT_THAT(judge_links("\n[1](c.md)\n"), HasSubstr("docs/a.md:2: Correct the link c.md: there is no docs/c.md."));
    EXPECT_THAT(judge_links("[1](../src/z/y.cpp)\n"), HasSubstr("there is no src/z/y.cpp"));
    EXPECT_THAT(judge_links("[1](b)\n"), HasSubstr("there is no docs/b."));
}

TEST(LinksRule, RefusesAHeadingThatIsNotThere) {
    EXPECT_THAT(judge_links("[1](b.md#there)\n"), HasSubstr("docs/b.md has no heading for #there"));
    EXPECT_THAT(judge_links("[1](#own)\n"), HasSubstr("docs/a.md has no heading for #own"));
}

TEST(LinksRule, RefusesWhatLeavesTheRepository) {
    EXPECT_THAT(judge_links("[1](../../b.md)\n"), HasSubstr("leaves it"));
    EXPECT_THAT(judge_links("[1](/docs/b.md)\n"), HasSubstr("relative path"));
}

TEST(LinksRule, FindsAPageToWhichTheIndexDoesNotLead) {
    const SourceTree tree{{"docs/README.md", "[a](x/a.md#top) [out](../README.md)"},
                          {"docs/x/a.md", "[b](b.md)"},
                          {"docs/x/b.md", "[a](a.md)"},
                          {"docs/x/lost.md", "[a](a.md)"},
                          {"README.md", "[c](docs/c.md)"},
                          {"docs/c.md", ""},
                          {"samples/README.md", ""}};
    EXPECT_THAT(places(unlisted_pages(tree)), ElementsAre("docs/c.md:1", "docs/x/lost.md:1"));
}

TEST(LinksRule, JudgesOnlyMarkdown) {
    EXPECT_THAT(broken_links({{"a.txt", "[1](none.md)"}, {"a.cpp", "f[x](none)"}}), IsEmpty());
}

}  // namespace
}  // namespace fencepost::tidy
