#include "api/auth/key_authenticator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/auth/test_keys.hpp"

namespace fencepost::api {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

ApiKeys sample_keys() {
    auto slow = KeyFile::key("slow");
    slow.rate = {.per_second = 1, .burst = 2};
    return {KeyFile::key("reader"), KeyFile::key("writer", Scope::write), KeyFile::key("boss", Scope::admin), slow};
}

http::Request request(const std::string& field, const std::string& value, const std::string& peer = "192.0.2.1") {
    http::Request made{.peer = peer};
    made.headers.add(field, value);
    return made;
}
http::Request bearing(const std::string& key) { return request("Authorization", "Bearer " + key); }

class KeyAuthenticatorTest : public ::testing::Test {
protected:
    int status(const http::Request& asked, Scope needed = Scope::read) {
        const auto admitted = authenticator.admit(asked, needed);
        return admitted ? 200 : static_cast<int>(admitted.error().status);
    }

    KeyFile file{sample_keys()};
    ManualClock clock;
    RecordingLog log;
    KeyRing ring{file.path(), clock, log};
    KeyAuthenticator authenticator{ring, clock, log};
};

TEST_F(KeyAuthenticatorTest, AcceptsAKeyInEitherHeader) {
    EXPECT_EQ(authenticator.admit(bearing("reader-key"), Scope::read).value().name, "reader");
    EXPECT_EQ(authenticator.admit(request("x-api-key", "writer-key"), Scope::read).value().name, "writer");
    EXPECT_EQ(authenticator.admit(request("authorization", "bEARER  reader-key"), Scope::read).value().name, "reader");
}

TEST_F(KeyAuthenticatorTest, ExplainsHowToSendAKeyOn401) {
    for (const auto& asked : {http::Request{.peer = "192.0.2.1"}, bearing(""), bearing("unknown"),
                              request("Authorization", "Basic cmVhZGVy"), request("Authorization", "reader-key"),
                              request("X-Api-Key", "")}) {
        const auto refused = authenticator.admit(asked, Scope::read);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().status, http::StatusCode::unauthorized);
        EXPECT_EQ(refused.error().headers.find("WWW-Authenticate"), R"(Bearer realm="fencepost")");
    }
    EXPECT_THAT(authenticator.admit({}, Scope::read).error().body, HasSubstr("Authorization: Bearer KEY"));
}

TEST_F(KeyAuthenticatorTest, RejectsTwoKeys) {
    auto two = bearing("reader-key");
    two.headers.add("X-Api-Key", "writer-key");
    EXPECT_EQ(status(two), 401);
    auto twice = bearing("reader-key");
    twice.headers.add("Authorization", "Bearer writer-key");
    EXPECT_EQ(status(twice), 401);
}

TEST_F(KeyAuthenticatorTest, ScopeIncludesLowerScopes) {
    EXPECT_EQ(status(bearing("reader-key"), Scope::write), 403);
    EXPECT_EQ(status(bearing("writer-key"), Scope::write), 200);
    EXPECT_EQ(status(bearing("writer-key"), Scope::admin), 403);
    EXPECT_EQ(status(bearing("boss-key"), Scope::admin), 200);
    EXPECT_EQ(status(bearing("boss-key"), Scope::read), 200);
}

TEST_F(KeyAuthenticatorTest, CallerHasTheSubmittersOfItsKey) {
    auto key = KeyFile::key("narrow", Scope::write);
    const auto submitter = SubmitterId::parse("eip155:1:0x1111111111111111111111111111111111111111").value();
    key.submitters = {submitter};
    file.write(format_key_file({key}));
    clock.now += 1s;
    const auto caller = authenticator.admit(bearing("narrow-key"), Scope::read).value();
    EXPECT_TRUE(caller.may_use(submitter));
    EXPECT_FALSE(caller.may_use(SubmitterId::parse("eip155:2:0x1111111111111111111111111111111111111111").value()));
    EXPECT_EQ(status(bearing("reader-key")), 401) << "a key that was revoked still works";
}

TEST_F(KeyAuthenticatorTest, LimitsTheRateOfEachKeySeparately) {
    EXPECT_EQ(status(bearing("slow-key")), 200);
    EXPECT_EQ(status(bearing("slow-key"), Scope::admin), 403) << "what is forbidden counts, too";
    const auto refused = authenticator.admit(bearing("slow-key"), Scope::read);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, http::StatusCode::too_many_requests);
    EXPECT_EQ(refused.error().headers.find("Retry-After"), "1");
    EXPECT_EQ(status(bearing("reader-key")), 200);
    clock.now += 1s;
    EXPECT_EQ(status(bearing("slow-key")), 200);
}

TEST_F(KeyAuthenticatorTest, ChargesBatchItemsAgainstLaterRequests) {
    const auto caller = authenticator.admit(bearing("slow-key"), Scope::read).value();
    authenticator.charge(caller, 9);
    EXPECT_EQ(authenticator.admit(bearing("slow-key"), Scope::read).error().headers.find("Retry-After"), "9");
    EXPECT_EQ(status(bearing("reader-key")), 200);
    clock.now += 8s;
    EXPECT_EQ(status(bearing("slow-key")), 429);
    clock.now += 1s;
    EXPECT_EQ(status(bearing("slow-key")), 200);
}

TEST_F(KeyAuthenticatorTest, KeepsBucketsWhenTheFileIsReloaded) {
    EXPECT_EQ(status(bearing("slow-key")), 200);
    EXPECT_EQ(status(bearing("slow-key")), 200);
    auto keys = sample_keys();
    keys.push_back(KeyFile::key("new"));
    file.write(format_key_file(keys));
    clock.now += 1s;
    EXPECT_EQ(status(bearing("slow-key")), 200);
    EXPECT_EQ(status(bearing("slow-key")), 429);
    EXPECT_EQ(status(bearing("new-key")), 200);
}

TEST_F(KeyAuthenticatorTest, LimitsFailuresPerAddressButNotValidKeys) {
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(status(bearing("wrong")), 401) << i;
    const auto refused = authenticator.admit(bearing("wrong"), Scope::read);
    EXPECT_EQ(refused.error().status, http::StatusCode::too_many_requests);
    EXPECT_TRUE(refused.error().headers.find("Retry-After"));
    EXPECT_EQ(status(bearing("reader-key")), 200);
    EXPECT_EQ(status(request("X-Api-Key", "wrong", "192.0.2.2")), 401);
}

TEST_F(KeyAuthenticatorTest, LogsLimitedFailuresWithoutTheKey) {
    for (int i = 0; i < 10'000; ++i)
        std::ignore = status(request("X-Api-Key", "fp_almost", "192.0.2." + std::to_string(i % 200)));
    ASSERT_EQ(log.lines.size(), 20U);
    EXPECT_THAT(log.lines.front(), HasSubstr("peer=192.0.2.0"));
    for (const auto& line : log.lines)
        EXPECT_THAT(line, Not(HasSubstr("almost")));
}

TEST_F(KeyAuthenticatorTest, CertificateDoesNotReplaceAKey) {
    auto with_certificate = bearing("boss-key");
    with_certificate.client_certificate = "laptop 7";
    EXPECT_EQ(authenticator.admit(with_certificate, Scope::admin).value().name, "boss (certificate of laptop 7)");
    EXPECT_EQ(status({.client_certificate = "laptop 7"}), 401);
}

}  // namespace
}  // namespace fencepost::api
