// fencepost doctor in a healthy environment and in a broken one.
#include <chrono>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "site.hpp"

namespace fencepost::test {
namespace {

using http::Method;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The first account of every development node.
const std::string key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const std::string address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

std::string block(std::uint64_t number, std::int64_t time) {
    return fmt::format(
        R"({{"number":"{:#x}","hash":"0x{:064x}","parentHash":"0x{:064x}","timestamp":"{:#x}","transactions":[]}})",
        number, number + 1, number, time);
}

// Three requests about the endpoint in one batch, then two about an account.
std::vector<http::Response> node_of(int chain_id, const std::string& code = "0x") {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const auto result = [](int id, const std::string& value) {
        return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, value);
    };
    return {answer_of("[" + result(1, fmt::format("\"{:#x}\"", chain_id)) + "," + result(2, block(0, now - 1000)) +
                      "," + result(3, block(43, now)) + "]"),
            answer_of("[" + result(1, R"("0xde0b6b3a7640000")") + "," + result(2, fmt::format("\"{}\"", code)) + "]")};
}

void write_config(Site& site, const std::string& submitter) {
    site.folder().write("key", key + "\n");
    site.folder().write("fencepost.yaml", fmt::format(R"(listen: 127.0.0.1:0
database.url: {}/fencepost.db
chains:
  main: {{id: 31337, rpc.url: "{}/s3cret-rpc"}}
signers:
  dev: {{kind: development, keyFile: {}/key}}
submitters:
  treasury: {{account: "eip155:31337:{}"}}
)",
                                                      site.folder().path().string(), site.url(),
                                                      site.folder().path().string(), submitter));
}

TEST(Doctor, ReportsHealthySetup) {
    Site site;
    site.on(Method::post, "/s3cret-rpc", node_of(31337));
    write_config(site, address);
    ASSERT_EQ(site.run({"migrate", "--database", "fencepost.db"}, false).code, 0);
    const auto outcome = site.run({"doctor", "--config", "fencepost.yaml"}, false);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("✓ configuration: chains 1, submitters 1, signers 1"), HasSubstr("✓ listening"),
                      HasSubstr("✓ database"), HasSubstr("✓ migrations"),
                      HasSubstr("✓ chain main, endpoint rpc: chain 31337, block 43"),
                      HasSubstr("! signer dev: unencrypted keys: 1"), HasSubstr("✓ submitter treasury"),
                      HasSubstr("✓ balance of eip155:31337:" + address + ": 1 ether"), HasSubstr(", 0 broken")));
    EXPECT_THAT(outcome.out + outcome.err, AllOf(Not(HasSubstr("s3cret")), Not(HasSubstr(key))));
}

TEST(Doctor, ExplainsDelegatedAccount) {
    Site site;
    site.on(Method::post, "/s3cret-rpc", node_of(31337, "0xef0100d8da6bf26964af9d7eed9e03e53415d37aa96045"));
    write_config(site, address);
    const auto outcome = site.run({"doctor", "--config", "fencepost.yaml"}, false);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("✓ balance of eip155:31337:" + address + ": 1 ether"),
                                   HasSubstr("! account eip155:31337:" + address +
                                             ": delegated to 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 (EIP-7702)"),
                                   HasSubstr("nonce.delegatedAccounts")));
}

TEST(Doctor, DelegatedAccountIsFineWhereChainAllowsMoreInFlight) {
    Site site;
    site.on(Method::post, "/s3cret-rpc", node_of(31337, "0xef0100d8da6bf26964af9d7eed9e03e53415d37aa96045"));
    write_config(site, address);
    const auto outcome =
        site.run({"doctor", "--config", "fencepost.yaml", "--nonce.delegatedAccounts", "window"}, false);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("✓ account eip155:31337:" + address + ": delegated to 0xd8dA"));
}

TEST(Doctor, NamesBrokenPartsAndExitsWithOne) {
    Site site;
    site.on(Method::post, "/s3cret-rpc", node_of(1));
    write_config(site, "0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
    const auto outcome = site.run({"doctor", "--config", "fencepost.yaml"}, false);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("✓ migrations: fencepost serve will apply"), HasSubstr("it serves chain 1, not 31337"),
                      HasSubstr("✗ submitter treasury: no signer has a key for"), HasSubstr("2 broken")));
    EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("s3cret")));

    const auto as_json = site.run({"doctor", "--config", "fencepost.yaml", "--json"}, false);
    EXPECT_EQ(as_json.code, 1);
    EXPECT_FALSE(boost::json::parse(as_json.out).at("ok").as_bool());
}

TEST(Doctor, ChecksAccessControl) {
    Site site;
    write_config(site, address);
    const auto run_with = [&site](std::vector<std::string> more) {
        more.insert(more.begin(), {"doctor", "--config", "fencepost.yaml"});
        return site.run(std::move(more), false).out;
    };
    EXPECT_THAT(run_with({}), HasSubstr("✓ access: without keys, from this machine only"));
    EXPECT_THAT(run_with({"--listen", "0.0.0.0:0"}), HasSubstr("✗ access: "));
    EXPECT_THAT(run_with({"--api.keysFile", "none.yaml"}), HasSubstr("✗ API keys: "));
    ASSERT_EQ(site.run({"apikey", "new", "--keys", "keys.yaml", "--name", "shop", "--scope", "write"}, false).code, 0);
    EXPECT_THAT(run_with({"--api.keysFile", "keys.yaml"}),
                AllOf(HasSubstr("✓ access: by API key"), HasSubstr("✓ API keys: 1 configured")));
}

TEST(Doctor, ChecksTlsFiles) {
    Site site;
    write_config(site, address);
    site.folder().write("none.pem", "no certificate");
    const auto outcome = site.run({"doctor", "--config", "fencepost.yaml", "--http.tls.certificateFile", "none.pem",
                                   "--http.tls.keyFile", "none.pem"},
                                  false);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("✗ TLS certificate: none.pem: "));

    const auto certificate = make_test_certificate({"IP:127.0.0.1"});
    site.folder().write("server.pem", certificate.certificate_pem);
    site.folder().write("server.key", certificate.key_pem);
    const std::vector<std::string> pair{
        "doctor", "--config", "fencepost.yaml", "--http.tls.certificateFile", "server.pem", "--http.tls.keyFile"};
    const auto run_with_key = [&site, &pair](const std::string& file) {
        auto arguments = pair;
        arguments.push_back(file);
        return site.run(arguments, false).out;
    };
    EXPECT_THAT(run_with_key("server.key"),
                AllOf(HasSubstr("! TLS certificate: it expires on 2"), HasSubstr("✓ TLS key")));
    site.folder().write("other.key", make_test_certificate({"IP:127.0.0.1"}).key_pem);
    EXPECT_THAT(run_with_key("other.key"), HasSubstr("✗ TLS key: other.key: key values mismatch"));
}

TEST(Doctor, ExplainsInvalidConfiguration) {
    Site site;
    site.folder().write("wrong.yaml", "confirmations:\n  requird: 12\n");
    const auto outcome = site.run({"doctor", "--config", "wrong.yaml"}, false);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("✗ configuration: wrong.yaml:2:12: confirmations.requird: unknown key"));
}

}  // namespace
}  // namespace fencepost::test
