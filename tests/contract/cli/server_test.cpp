// Which server the CLI contacts and with which key, and the commands that do not concern transactions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "site.hpp"

namespace fencepost::test {
namespace {

using http::Method;
using http::StatusCode;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string submitter = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

TEST(CliServer, IsSetByEnvironmentOrCommandLine) {
    Site site;
    site.on(Method::get, "/api/v1/chains", {answer_of(R"({"items":[]})")});
    site.environment()["FENCEPOST_URL"] = site.url();
    EXPECT_EQ(site.run({"chains"}, false).out, "no chains\n");
    site.environment()["FENCEPOST_URL"] = "http://127.0.0.1:1";
    EXPECT_EQ(site.run({"chains"}).code, 0);
    site.environment()["FENCEPOST_URL"] = "ftp://127.0.0.1";
    EXPECT_EQ(site.run({"chains"}, false).code, 2);
}

TEST(CliServer, UsesKeyFromFileOrEnvironment) {
    Site site;
    site.on(Method::get, "/api/v1/chains", {answer_of(R"({"items":[]})")});
    site.run({"chains"});
    site.environment()["FENCEPOST_API_KEY"] = "fp_environment";
    site.run({"chains"});
    site.folder().write("key", "fp_file\n");
    site.run({"chains", "--key-file", "key"});
    ASSERT_EQ(site.requests().size(), 3U);
    EXPECT_EQ(site.requests().at(0).headers.find("authorization"), std::nullopt);
    EXPECT_EQ(site.requests().at(1).headers.find("authorization"), "Bearer fp_environment");
    EXPECT_EQ(site.requests().at(2).headers.find("authorization"), "Bearer fp_file");
    const auto missing = site.run({"chains", "--key-file", "none"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("none cannot be read"));
}

TEST(CliServer, OverTlsIsTrustedOnlyByItsCertificateAuthority) {
    Site site;
    site.use_tls(make_test_certificate({"IP:127.0.0.1"}));
    site.on(Method::get, "/api/v1/chains", {answer_of(R"({"items":[]})")});
    const auto trusted = site.run({"chains", "--ca-file", "server.pem"});
    EXPECT_EQ(trusted.code, 0) << trusted.err;
    const auto distrusted = site.run({"chains"});
    EXPECT_EQ(distrusted.code, 5);
    EXPECT_THAT(distrusted.err, AllOf(HasSubstr("not trusted"), HasSubstr("--ca-file")));
    EXPECT_EQ(site.run({"chains", "--ca-file", "none.pem"}).code, 1);
}

TEST(CliServer, FailsWhenOutputCannotBeWritten) {
    Site site;
    site.on(Method::get, "/api/v1/chains", {answer_of(R"({"items":[]})")});
    const auto outcome = site.run_into("/dev/full", {"chains"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("could not be written"));
}

TEST(CliServer, RecognisesOtherPrograms) {
    Site site;
    site.on(Method::get, "/api/v1/cluster", {answer_of("<html>hello</html>")});
    const auto outcome = site.run({"cluster"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("not a Fencepost response"));
}

TEST(CliSubmitter, ListsShowsAndCommandsSubmitters) {
    Site site;
    const std::string one = R"({"submitter":")" + submitter +
                            R"(","status":"ACTIVE","pending":1,"confirmed":2,"failed":0,)"
                            R"("balance":"1000000000000000000","stopped":null})";
    site.on(Method::get, "/api/v1/submitters", {answer_of(R"({"items":[)" + one + "]}")});
    site.on(Method::get, "/api/v1/submitters/" + submitter, {answer_of(one)});
    for (const auto* kind : {"pause", "resume", "protect", "unprotect", "reconcile"}) {
        site.on(Method::post, "/api/v1/submitters/" + submitter + "/" + kind,
                {answer_of(R"({"commandId":"3","kind":")" + std::string(kind) + R"(","submitter":"s"})",
                           StatusCode::accepted)});
    }
    EXPECT_THAT(site.run({"submitter", "list"}).out, AllOf(HasSubstr(submitter), HasSubstr("1 ether")));
    EXPECT_THAT(site.run({"submitter", "show", submitter}).out, HasSubstr("status     ACTIVE"));
    EXPECT_EQ(site.run({"submitter", "show", submitter, "--json"}).out, one + "\n");
    for (const auto* kind : {"pause", "resume", "protect", "unprotect", "reconcile"}) {
        const auto outcome = site.run({"submitter", kind, submitter});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, std::string(kind) + " of s requested (command 3)\n");
        EXPECT_EQ(site.requests().back().body, "{}");
    }
}

TEST(CliSubmitter, ListHintsAtMorePagesAndFollowsThemWithAll) {
    Site site;
    const auto page = [](const std::string& next) {
        return answer_of(R"({"items":[{"submitter":"s"}],"next":)" + next + "}");
    };
    site.on(Method::get, "/api/v1/submitters", {page(R"("s1")"), page(R"("s1")"), page("null")});
    EXPECT_THAT(site.run({"submitter", "list", "--limit", "1"}).out, HasSubstr("more items: use --after s1 or --all"));
    EXPECT_EQ(site.run({"submitter", "list", "--all", "--json"}).out,
              R"({"items":[{"submitter":"s"},{"submitter":"s"}],"next":null})"
              "\n");
    ASSERT_EQ(site.requests().size(), 3U);
    EXPECT_EQ(site.requests().at(0).query, "limit=1");
    EXPECT_EQ(site.requests().at(2).query, "after=s1&limit=500");
}

TEST(CliSubmitter, ReportsWrongUsageBeforeSending) {
    Site site;
    EXPECT_EQ(site.run({"submitter", "show"}).code, 2);
    EXPECT_EQ(site.run({"submitter", "remove", "x"}).code, 2);
    EXPECT_EQ(site.run({"tx", "list", "--state", "DONE"}).code, 2);
    EXPECT_EQ(site.run({"tx", "wait", "x", "--timeout", "soon"}).code, 2);
    EXPECT_EQ(site.run({"tx", "wait", "x", "--timeout", "100000d"}).code, 2);
    EXPECT_EQ(site.run({"tx", "send", "--from", "a", "--to", "0x1"}).code, 2);
    EXPECT_THAT(site.run({"tx", "list", "--state", "DONE"}).err,
                AllOf(HasSubstr("\"DONE\" is not one of QUEUED"), Not(HasSubstr("\x1b"))));
    EXPECT_TRUE(site.requests().empty());
}

}  // namespace
}  // namespace fencepost::test
