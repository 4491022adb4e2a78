#include "api/openapi_document.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace fencepost::api {
namespace {

TEST(OpenApiDocument, IsJsonOfThisVersionOfTheProgram) {
    const auto document = boost::json::parse(openapi_document());
    EXPECT_EQ(document.at("openapi").as_string(), "3.1.0");
    EXPECT_EQ(document.at("info").at("version").as_string(), FENCEPOST_VERSION)
        << "The project's version is in CMakeLists.txt: write it into docs/openapi.json.";
}

}  // namespace
}  // namespace fencepost::api
