#include "api/auth/key_file.hpp"

#include <fcntl.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/auth/test_keys.hpp"
#include "base/text/hex.hpp"

namespace fencepost::api {
namespace {

using testing::HasSubstr;

const std::string digest(64, 'a');

ApiKeys samples() {
    ApiKey shop = KeyFile::key("shop", Scope::write);
    shop.submitters = {SubmitterId::parse("eip155:1:0x1111111111111111111111111111111111111111").value(),
                       SubmitterId::parse("eip155:10:0x2222222222222222222222222222222222222222").value()};
    shop.rate = {.per_second = 0.5, .burst = 3};
    shop.created_at = "2026-11-16T13:21:04.123456Z";
    return {shop, KeyFile::key("007"), KeyFile::key("true", Scope::admin)};
}

std::string error_in(const std::string& text) {
    const auto keys = parse_key_file(text);
    return keys ? "none" : keys.error();
}

std::string with(const std::string& field) {
    return "keys:\n  - name: a\n    sha256: " + digest + "\n    scope: read\n    " + field + "\n";
}

TEST(KeyFileText, RoundTrips) {
    EXPECT_EQ(parse_key_file(format_key_file(samples())).value(), samples());
    EXPECT_EQ(parse_key_file(format_key_file({})).value(), ApiKeys{});
    EXPECT_EQ(parse_key_file("").value(), ApiKeys{});
}

TEST(KeyFileText, DoesNotContainKeys) { EXPECT_THAT(format_key_file(samples()), Not(HasSubstr("shop-key"))); }

TEST(KeyFileText, DefaultBurstIsTwoSeconds) {
    EXPECT_EQ(parse_key_file(with("ratePerSecond: 10")).value().at(0).rate, (RateLimit{.per_second = 10, .burst = 20}));
}

TEST(KeyFileText, ReportsErrorsWithTheirLine) {
    EXPECT_EQ(error_in(with("createdAt: today")), "none");
    EXPECT_THAT(error_in(with("submiters: []")), HasSubstr("line 5: unknown field \"submiters\""));
    EXPECT_THAT(error_in(with("submitters: []")), HasSubstr("leave it out to allow all"));
    EXPECT_THAT(error_in(with("submitters: [\"0x12\"]")), HasSubstr("line 5: "));
    EXPECT_THAT(error_in(with("scope: write")), HasSubstr("scope occurs twice"));
    EXPECT_THAT(error_in(with("burst: 3")), HasSubstr("burst needs a ratePerSecond"));
    for (const auto* const rate : {"0", "-1", ".nan", ".inf", "many", "[1]", "1e9"})
        EXPECT_THAT(error_in(with(std::string("ratePerSecond: ") + rate)), HasSubstr("must be a number")) << rate;
    EXPECT_THAT(error_in("keys:\n  - name: a\n    sha256: abc\n"), HasSubstr("64 hexadecimal digits"));
    EXPECT_THAT(error_in("keys:\n  - name: a b\n"), HasSubstr("name may have letters"));
    EXPECT_THAT(error_in("keys:\n  - name: a\n    scope: root\n"), HasSubstr("read, write or admin"));
    EXPECT_THAT(error_in("keys:\n  - name: a\n    scope: read\n"), HasSubstr("needs a sha256"));
    EXPECT_THAT(error_in("keys: 1"), HasSubstr("must be a list"));
    EXPECT_THAT(error_in("keys: [1]"), HasSubstr("must have fields"));
    EXPECT_THAT(error_in("Keys: []"), HasSubstr("must hold \"keys:\""));
    EXPECT_THAT(error_in("keys: []\nmore: 1"), HasSubstr("nothing else"));
    EXPECT_NE(error_in("keys: [\n"), "none");
}

TEST(KeyFileText, RejectsDuplicateNamesAndHashes) {
    auto keys = samples();
    keys.push_back(keys.front());
    EXPECT_THAT(error_in(format_key_file(keys)), HasSubstr("same name or sha256"));
    keys.back().name = "another";
    EXPECT_THAT(error_in(format_key_file(keys)), HasSubstr("same name or sha256"));
}

Status<std::string> add(const std::filesystem::path& path, const ApiKey& key) {
    return edit_key_file(path, [&key](ApiKeys& keys) {
        keys.push_back(key);
        return Status<std::string>{};
    });
}

TEST(KeyFileOnDisk, IsCreatedReadableByOwnerOnly) {
    const test::TempFolder folder;
    const auto path = folder.path() / "keys.yaml";
    ASSERT_TRUE(add(path, KeyFile::key("shop")));
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_EQ(read_key_file(path).value(), ApiKeys{KeyFile::key("shop")});
}

TEST(KeyFileOnDisk, KeepsItsFileMode) {
    const test::TempFolder folder;
    const auto path = folder.write("keys.yaml", "");
    ::chmod(path.c_str(), 0640);
    ASSERT_TRUE(add(path, KeyFile::key("shop")));
    EXPECT_EQ(std::filesystem::status(path).permissions(), static_cast<std::filesystem::perms>(0640));
}

TEST(KeyFileOnDisk, FailedEditLeavesTheFileUnchanged) {
    const test::TempFolder folder;
    const auto path = folder.write("keys.yaml", "# mine\n");
    const auto refuse = [](ApiKeys&) { return Status<std::string>(err(std::string("no"))); };
    EXPECT_EQ(edit_key_file(path, refuse).error(), "no");
    EXPECT_EQ(test::text_of(path), "# mine\n");
    folder.write("keys.yaml", "keys: {");
    EXPECT_THAT(add(path, KeyFile::key("shop")).error(), HasSubstr("keys.yaml: line "));
    EXPECT_EQ(test::text_of(path), "keys: {");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(KeyFileOnDisk, NamesAMissingFile) {
    EXPECT_EQ(read_key_file("/no/such/keys.yaml").error(),
              "/no/such/keys.yaml cannot be read: No such file or directory");
}

TEST(ApiKey, IsRandomWithAKnownPrefix) {
    const auto key = generate_api_key();
    EXPECT_EQ(key.expose().size(), 67U);
    EXPECT_TRUE(key.expose().starts_with("fp_"));
    EXPECT_TRUE(from_hex(key.expose().substr(3)));
    EXPECT_NE(key.expose(), generate_api_key().expose());
}

}  // namespace
}  // namespace fencepost::api
