// docs/reference/errors.md has a row for each type of problem, with the status that it is answered with.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/message/problem.hpp"

namespace fencepost::http {
namespace {

using Rows = std::set<std::string>;

std::string errors_page() {
    std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/reference/errors.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

// "409 not-owner" of "| 409 | `not-owner` | …".
Rows rows_of(const std::string& page) {
    static const std::regex row(R"(\n\| (\d{3}) \| `([a-z-]+)` \| [^|]+ \| [^|]+ \|)");
    Rows rows;
    for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it)
        rows.insert(it->format("$1 $2"));
    return rows;
}

Rows problems_of_the_code() {
    static const std::regex type("urn:fencepost:problem:([a-z-]+)\"");
    Rows rows;
    for (int kind = 0; kind <= static_cast<int>(ProblemKind::store_unavailable); ++kind) {
        const auto response = problem(static_cast<ProblemKind>(kind), "");
        std::smatch match;
        if (!std::regex_search(response.body, match, type)) continue;
        rows.insert(fmt::format("{} {}", static_cast<int>(response.status), match[1].str()));
    }
    return rows;
}

TEST(ProblemReference, HasARowForEachTypeAndNoOther) {
    EXPECT_EQ(rows_of(errors_page()), problems_of_the_code()) << "docs/reference/errors.md is stale";
}

TEST(ProblemReference, ReadsOnlyRowsThatSayWhatToDo) {
    EXPECT_EQ(rows_of("\n| 404 | `not-found` | nothing there | check the id |\n| 405 | `no-help` | what |\n"),
              Rows{"404 not-found"});
}

}  // namespace
}  // namespace fencepost::http
