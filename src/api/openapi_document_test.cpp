#include "api/openapi_document.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "domain/intent.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/tx/diagnosis.hpp"
#include "domain/tx/history.hpp"
#include "domain/tx/transaction_state.hpp"
#include "http/message/problem.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::api {
namespace {

namespace json = boost::json;
using Words = std::set<std::string>;

const json::value& document() {
    static const json::value value = json::parse(openapi_document());
    return value;
}

// The words that a schema allows; null is none.
Words words_at(const std::string& pointer) {
    Words words;
    for (const auto& word : document().at_pointer("/components/schemas" + pointer + "/enum").as_array()) {
        if (!word.is_null()) words.emplace(word.as_string());
    }
    return words;
}

template <typename Enum>
Words words_of() {
    Words words;
    for (const auto& [value, name] : enum_names<Enum>) {
        if (!name.empty()) words.emplace(name);
    }
    return words;
}

TEST(OpenApiDocument, HasTheVersionOfTheProgram) {
    EXPECT_EQ(document().at("openapi").as_string(), "3.1.0");
    EXPECT_EQ(document().at("info").at("version").as_string(), FENCEPOST_VERSION)
        << "The project's version is in CMakeLists.txt: write it into docs/reference/openapi.json.";
}

TEST(OpenApiDocument, ListsExactlyTheEnumNames) {
    EXPECT_EQ(words_at("/State"), words_of<State>());
    EXPECT_EQ(words_at("/SubState"), words_of<SubState>());
    EXPECT_EQ(words_at("/Speed"), words_of<Speed>());
    EXPECT_EQ(words_at("/HistoryEntry/properties/kind"), words_of<HistoryKind>());
    EXPECT_EQ(words_at("/Attempt/properties/kind"), words_of<AttemptKind>());
    EXPECT_EQ(words_at("/Diagnosis/properties/likely"), words_of<LikelyCause>());
    EXPECT_EQ(words_at("/WindowLimit"), words_of<WindowLimit>());
    EXPECT_EQ(words_at("/Submitter/properties/status"), words_of<SubmitterStatus>());
}

TEST(OpenApiDocument, DocumentsEveryProblemType) {
    std::map<std::string, json::value> shown;
    for (const auto& response : document().at_pointer("/components/responses").as_object()) {
        const auto& content = response.value().at_pointer("/content/application~1problem+json");
        for (const auto& example : content.at("examples").as_object())
            shown.emplace(example.value().at("value").at("type").as_string(), example.value().at("value"));
    }
    Words types;
    for (int kind = 0; kind <= std::to_underlying(http::ProblemKind::store_unavailable); ++kind) {
        const auto problem = json::parse(http::problem(static_cast<http::ProblemKind>(kind), "").body);
        const std::string type(problem.at("type").as_string());
        types.insert(type);
        if (!shown.contains(type)) continue;  // answered before a route sees the request
        EXPECT_EQ(shown.at(type).at("status"), problem.at("status")) << type;
        EXPECT_EQ(shown.at(type).at("title"), problem.at("title")) << type;
    }
    EXPECT_EQ(words_at("/Problem/properties/type"), types);
}

}  // namespace
}  // namespace fencepost::api
