// That the table itself is right: what it says of a key can be read by that key, and no two keys are confused.
#include "config/keys/keys.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/reference.hpp"
#include "config/sources/path.hpp"
#include "config/test_load.hpp"

namespace fencepost::config {
namespace {

constexpr std::array scopes{Scope::top, Scope::chain, Scope::endpoint, Scope::submitter, Scope::signer};

TEST(KeyTable, NamesAndVariablesAreUniqueInEachScope) {
    for (const auto scope : scopes) {
        std::set<std::string> names;
        std::set<std::string> variables;
        for (const auto& key : keys_in(scope)) {
            EXPECT_TRUE(names.insert(key.name).second) << key.name;
            EXPECT_TRUE(variables.insert(variable_part(key.name)).second) << key.name;
        }
        // A key must not be a group as well.
        for (const auto& name : names) {
            const auto next = names.upper_bound(name + ".");
            EXPECT_TRUE(next == names.end() || !next->starts_with(name + ".")) << name;
        }
    }
}

TEST(KeyTable, NoVariableCollidesWithKubernetes) {
    for (const auto& key : keys_in(Scope::top)) {
        const auto name = variable_part(key.name);
        EXPECT_FALSE(name.starts_with("SERVICE_") || name.starts_with("PORT") || name == "CONFIG" || name == "URL" ||
                     name == "API_KEY")
            << name;
    }
}

TEST(KeyTable, EveryDefaultIsAValidValue) {
    Given given;
    for (const auto& key : keys_in(Scope::top)) {
        if (!key.default_value.empty()) given.arguments.push_back("--" + key.name + "=" + key.default_value.front());
    }
    EXPECT_THAT(problems_of(given), testing::IsEmpty());
}

TEST(KeyTable, EveryKeyHasHelp) {
    for (const auto scope : scopes) {
        for (const auto& key : keys_in(scope)) {
            EXPECT_GT(key.help.size(), 10U) << key.name;
            EXPECT_TRUE(key.help.ends_with('.')) << key.name;
            EXPECT_EQ(key.help.find('|'), std::string::npos) << key.name;
        }
    }
}

TEST(KeyTable, TheReferenceNamesEveryKey) {
    const auto text = reference_text();
    const auto markdown = reference_markdown();
    for (const auto scope : scopes) {
        for (const auto& key : keys_in(scope)) {
            EXPECT_THAT(text, testing::HasSubstr(key.name + "  ("));
            EXPECT_THAT(markdown, testing::HasSubstr(key.name + "` |"));
        }
    }
}

TEST(KeyTable, ExampleOfTheReferenceIsValid) {
    const auto markdown = reference_markdown();
    const auto begin = markdown.find("```yaml\n") + 8;
    const auto config = config_of({.file = markdown.substr(begin, markdown.find("```\n", begin) - begin),
                                   .environment = {{"DATABASE_PASSWORD", "x"}, {"PROVIDER_KEY", "y"}}});
    EXPECT_EQ(config.chains.size(), 1U);
    EXPECT_EQ(config.submitters.size(), 1U);
    EXPECT_EQ(config.signers.size(), 1U);
}

TEST(VariableNames, HaveAnUnderscoreBetweenWords) {
    EXPECT_EQ(variable_part("lease.renewInterval"), "LEASE_RENEW_INTERVAL");
    EXPECT_EQ(variable_part("chains.base-sepolia.id"), "CHAINS_BASE_SEPOLIA_ID");
}

TEST(Database, IsAUrlOfPostgresOrAFile) {
    EXPECT_EQ(DatabaseName::parse("postgres://h/d")->kind, DatabaseName::Kind::postgres);
    EXPECT_EQ(DatabaseName::parse("sqlite:a.db")->place, "a.db");
    EXPECT_EQ(DatabaseName::parse("a.db")->kind, DatabaseName::Kind::sqlite);
    EXPECT_FALSE(DatabaseName::parse("sqlite:"));
    EXPECT_FALSE(DatabaseName::parse("mysql://h/d"));
}

}  // namespace
}  // namespace fencepost::config
