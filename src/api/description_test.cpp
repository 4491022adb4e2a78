// docs/reference/openapi.json and the routes describe the same API. (tests/e2e checks the responses.)
#include <fstream>
#include <iterator>
#include <set>

#include "api/test_api.hpp"
#include "domain/window/send_outcome.hpp"

namespace fencepost::api {
namespace {

class Description : public ApiTest {
protected:
    static Json read() {
        std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/reference/openapi.json");
        return boost::json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
    }
};

TEST_F(Description, ListsExactlyTheServedRoutes) {
    std::set<std::string> described;
    const auto document = read();
    for (const auto& [path, methods] : document.at("paths").as_object()) {
        for (const auto& [method, operation] : methods.as_object()) {
            if (method == "get") described.insert("GET " + std::string(path));
            if (method == "post") described.insert("POST " + std::string(path));
        }
    }
    auto served = router_.listing();
    served.emplace_back("GET /livez");  // the server's own
    EXPECT_EQ(described, std::set<std::string>(served.begin(), served.end()));
}

TEST_F(Description, ListsEveryRefusalCode) {
    const auto document = read();
    const auto& error = document.at("components").at("schemas").at("TransactionError");
    std::set<std::string> codes;
    for (const auto& code : error.at("properties").at("code").at("enum").as_array())
        codes.emplace(code.as_string());
    for (const auto& [refusal, name] : enum_names<fencepost::Refusal>)
        EXPECT_TRUE(codes.contains(std::string(name))) << name;
}

}  // namespace
}  // namespace fencepost::api
