// The fencepost apikey command: output, file contents and exit code.
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/auth/key_file.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::api {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Ended {
    int code = -1;
    std::string said;  // to stdout and stderr
};

class ApiKeyCommand : public testing::Test {
protected:
    Ended call(std::vector<std::string> arguments) {
        const auto log = (folder.path() / "log").string();
        arguments.insert(arguments.begin(), {FENCEPOST_PROGRAM, "apikey"});
        arguments.insert(arguments.begin() + 3, {"--keys", file.string()});
        test::ChildProcess child(arguments, {.log = log});
        const int code = child.wait();
        const auto said = test::text_of(log);
        std::filesystem::remove(log);
        return {code, said};
    }
    ApiKeys keys() { return read_key_file(file).value(); }

    test::TempFolder folder;
    std::filesystem::path file = folder.path() / "keys.yaml";
};

TEST_F(ApiKeyCommand, PrintsNewKeyOnceAndStoresOnlyItsHash) {
    const auto [code, said] = call({"new", "--name", "shop", "--scope", "write"});
    EXPECT_EQ(code, 0) << said;
    const auto key = said.substr(0, said.find('\n'));
    EXPECT_TRUE(key.starts_with("fp_"));
    ASSERT_EQ(keys().size(), 1U);
    EXPECT_EQ(keys().front().hash, hash_of_api_key(key));
    EXPECT_EQ(keys().front().scope, Scope::write);
    EXPECT_EQ(keys().front().submitters, std::nullopt);
    EXPECT_THAT(test::text_of(file), Not(HasSubstr(key.substr(3))));
    EXPECT_THAT(call({"list"}).said,
                AllOf(HasSubstr("shop  write  all submitters  default rate"), Not(HasSubstr("fp_"))));
}

TEST_F(ApiKeyCommand, AcceptsSubmittersAndRate) {
    const auto [code, said] = call({"new", "--name", "narrow", "--scope", "read", "--submitter",
                                    "eip155:1:0x52908400098527886E0F7030069857D2E4169EE7", "--submitter",
                                    "eip155:10:0x1111111111111111111111111111111111111111", "--rate", "2.5", "--json"});
    EXPECT_EQ(code, 0) << said;
    const auto answer = json::parse(said).as_object();
    const auto key = keys().front();
    EXPECT_EQ(key.hash, hash_of_api_key(std::string_view(answer.at("key").as_string())));
    EXPECT_EQ(key.rate, (RateLimit{.per_second = 2.5, .burst = 5}));
    ASSERT_EQ(key.submitters.value().size(), 2U);
    EXPECT_EQ(key.submitters->front().to_string(), "eip155:1:0x52908400098527886e0f7030069857d2e4169ee7");
    const auto listed = json::parse(call({"list", "--json"}).said).at("items").at(0).as_object();
    EXPECT_EQ(listed.at("name"), "narrow");
    EXPECT_FALSE(listed.contains("key"));
}

TEST_F(ApiKeyCommand, NameIsUniqueUntilRevoked) {
    const std::vector<std::string> make{"new", "--name", "shop", "--scope", "admin"};
    EXPECT_EQ(call(make).code, 0);
    const auto before = test::text_of(file);
    EXPECT_THAT(call(make), testing::FieldsAre(1, HasSubstr("already has a key named shop")));
    EXPECT_EQ(test::text_of(file), before);
    EXPECT_THAT(call({"revoke", "--name", "shop"}), testing::FieldsAre(0, HasSubstr("revoked shop")));
    EXPECT_TRUE(keys().empty());
    EXPECT_THAT(call({"revoke", "--name", "shop"}), testing::FieldsAre(1, HasSubstr("has no key named shop")));
    EXPECT_EQ(call(make).code, 0);
}

TEST_F(ApiKeyCommand, ReportsErrorsWithoutWriting) {
    EXPECT_EQ(call({"new", "--name", "shop"}).code, 2);
    EXPECT_EQ(call({"new", "--name", "shop", "--scope", "root"}).code, 2);
    EXPECT_EQ(call({"new", "--name", "two words", "--scope", "read"}).code, 2);
    EXPECT_EQ(call({"new", "--name", "shop", "--scope", "read", "--submitter", "0x12"}).code, 2);
    EXPECT_EQ(call({"new", "--name", "shop", "--scope", "read", "--rate", "0"}).code, 2);
    EXPECT_EQ(call({"new", "--name", "shop", "--scope", "read", "--burst", "3"}).code, 2);
    EXPECT_THAT(call({"list"}), testing::FieldsAre(1, HasSubstr("cannot be read: No such file")));
    EXPECT_THAT(call({"revoke", "--name", "shop"}), testing::FieldsAre(1, HasSubstr("cannot be read: No such file")));
    EXPECT_FALSE(std::filesystem::exists(file));
    folder.write("keys.yaml", "keys: 7");
    EXPECT_THAT(call({"new", "--name", "shop", "--scope", "read"}), testing::FieldsAre(1, HasSubstr("must be a list")));
    EXPECT_EQ(test::text_of(file), "keys: 7");
}

}  // namespace
}  // namespace fencepost::api
