#include "config/keys/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/test_load.hpp"

namespace fencepost::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> problems(const std::string& file) { return problems_of({.file = file}); }

TEST(ConfigRules, DefaultsAreValid) { EXPECT_THAT(problems(""), IsEmpty()); }

TEST(ConfigRules, RenewIntervalIsBelowHalfOfTheLease) {
    EXPECT_THAT(problems("lease.renewInterval: 5s"),
                ElementsAre("f.yaml:1:22: lease.renewInterval (5s) must be less than half of lease.duration (10s)"));
    EXPECT_THAT(problems("lease.duration: 6s"), ElementsAre(HasSubstr("f.yaml:1:17: lease.renewInterval (3s)")));
    EXPECT_THAT(problems("lease: {duration: 10s, renewInterval: 4999ms}"), IsEmpty());
}

TEST(ConfigRules, LeaseIs5To30Seconds) {
    EXPECT_THAT(problems("lease: {duration: 4s, renewInterval: 1s}"), ElementsAre(HasSubstr("too small: at least 5s")));
    EXPECT_THAT(problems("lease.duration: 31s"), ElementsAre(HasSubstr("too large: at most 30s")));
    EXPECT_THAT(problems("lease: {duration: 5s, renewInterval: 1s}"), IsEmpty());
    EXPECT_THAT(problems("lease.duration: 30s"), IsEmpty());
}

TEST(ConfigRules, FillerCapExceedsTheFeeCapByMoreThanAnEighth) {
    EXPECT_THAT(
        problems("fees: {cap: 8 gwei, fillerCap: 9 gwei}"),
        ElementsAre(AllOf(HasSubstr("f.yaml:1:32"), HasSubstr("exceed fees.cap (8 gwei) by more than an eighth"))));
    EXPECT_THAT(problems("fees: {cap: 8 gwei, fillerCap: 9.000000001 gwei}"), IsEmpty());
    EXPECT_THAT(problems("fees.cap: 600 gwei"), ElementsAre(HasSubstr("f.yaml:1:11: fees.fillerCap (600 gwei)")));
    EXPECT_THAT(problems("fees.cap: 115792089237316195423570985008687907853269984665640564039457584007913129639935"),
                ElementsAre(HasSubstr("fees.fillerCap")));
}

TEST(ConfigRules, ApplyToChainsAndSubmittersAndAreReportedOnce) {
    const std::string chain = "chains: {main: {id: 1, rpc.url: \"http://n\"";
    const std::string account = "account: \"eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045\"";
    EXPECT_THAT(problems(chain + ", fees.cap: 1 ether}}"), ElementsAre(HasSubstr("chains.main.fees.fillerCap")));
    EXPECT_THAT(problems(chain + "}}\nsubmitters: {a: {" + account + ", fees.cap: 1 ether}}"),
                ElementsAre(HasSubstr("submitters.a.fees.fillerCap")));
    EXPECT_THAT(problems("fees.cap: 1 ether\n" + chain + "}}\nsubmitters: {a: {" + account + "}}"),
                ElementsAre(HasSubstr("f.yaml:1:11: fees.fillerCap")));
}

TEST(ConfigRules, RequiredConfirmationsFitTheBlockQueue) {
    EXPECT_THAT(problems("confirmations: {required: 1000}"), ElementsAre(HasSubstr("blockQueueLength (1000)")));
    EXPECT_THAT(problems("confirmations: {required: 1000, blockQueueLength: 2000}"), IsEmpty());
    EXPECT_THAT(problems("confirmations: {required: 1000, finality: finalized}"), IsEmpty());
}

TEST(ConfigRules, SharedKeyCannotSetStartFrom) {
    EXPECT_THAT(problems("nonce: {startFrom: 0, strict.enabled: false}"),
                ElementsAre(HasSubstr("nonce.strict.enabled must be true")));
    EXPECT_THAT(problems("nonce: {startFrom: 0}"), IsEmpty());
}

TEST(ConfigRules, DatabaseTimeoutsEndBeforeTheLease) {
    EXPECT_THAT(problems("database.answerTimeout: 10s"),
                ElementsAre(HasSubstr("must be less than lease.duration (10s)")));
    EXPECT_THAT(problems("database.statementTimeout: 5s"),
                ElementsAre(HasSubstr("not be longer than database.answerTimeout")));
    EXPECT_THAT(problems("database.lockTimeout: 4s"),
                ElementsAre(HasSubstr("not be longer than database.statementTimeout")));
}

TEST(ConfigRules, ClusterTimesAreConsistent) {
    EXPECT_THAT(problems("cluster.liveWithin: 2s"),
                ElementsAre(HasSubstr("longer than twice cluster.heartbeatInterval")));
    EXPECT_THAT(problems("ability.firstBackOff: 2h"),
                ElementsAre(HasSubstr("must not be longer than ability.longestBackOff")));
    EXPECT_THAT(problems("lease.clockSkewAllowance: 7s"),
                ElementsAre(HasSubstr("together must be less than lease.duration")));
    EXPECT_THAT(problems("queue.fullLookInterval: 500ms"), ElementsAre(HasSubstr("queue.lookInterval")));
}

TEST(ConfigRules, CertificateNeedsItsKey) {
    EXPECT_THAT(problems("http.tls.certificateFile: a.pem"), ElementsAre(HasSubstr("must be set together")));
    EXPECT_THAT(problems("http.tls.clientCaFile: a.pem"), ElementsAre(HasSubstr("needs http.tls.certificateFile")));
    EXPECT_THAT(problems("http.tls: {certificateFile: a.pem, keyFile: k.pem, clientCaFile: c.pem}"), IsEmpty());
}

TEST(ConfigRules, ConnectorAccountsMayBeShared) {
    EXPECT_THAT(problems(R"(
chains:
  main:
    id: 1
    rpc.url: http://n
    nonce.strict.enabled: false
    connector: {url: "http://c", accounts: ["0x3333333333333333333333333333333333333333"]}
)"),
                IsEmpty());
}

}  // namespace
}  // namespace fencepost::config
