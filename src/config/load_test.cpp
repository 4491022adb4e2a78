#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/test_load.hpp"

namespace fencepost::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr const char* one_chain = "chains: {main: {id: 1, rpc.url: \"http://node:8545\"}}\n";
constexpr const char* vitalik = "eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

TEST(Configuration, FlagsOverrideVariablesAndVariablesTheFile) {
    Given given{.file = "confirmations: {required: 1}"};
    EXPECT_EQ(config_of(given).lane.confirmations_required, 1U);
    given.environment = {{"FENCEPOST_CONFIRMATIONS_REQUIRED", "2"}};
    EXPECT_EQ(config_of(given).lane.confirmations_required, 2U);
    given.arguments = {"--confirmations.required", "3"};
    EXPECT_EQ(config_of(given).lane.confirmations_required, 3U);
    EXPECT_EQ(config_of({}).lane.confirmations_required, 20U);
}

TEST(Configuration, SubmitterOverridesChainAndChainOverridesGlobal) {
    const auto config = config_of({.file = R"(
confirmations.required: 5
resubmit.interval: 30s
chains:
  main:
    id: 1
    rpc.url: http://node
    confirmations.required: 6
  other: {id: 2, rpc.url: "http://node2"}
submitters:
  treasury:
    account: eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
    confirmations.required: 7
    nonce.window: 1
)"});
    ASSERT_EQ(config.chains.size(), 2U);
    EXPECT_EQ(config.chains[0].lane.confirmations_required, 6U);
    EXPECT_EQ(config.chains[1].lane.confirmations_required, 5U);
    const auto* treasury = config.lane_of(*SubmitterId::parse(vitalik));
    ASSERT_NE(treasury, nullptr);
    EXPECT_EQ(treasury->confirmations_required, 7U);
    EXPECT_EQ(treasury->window, WindowRules(1));
    EXPECT_EQ(treasury->resubmit_interval, 30s);
    const auto* another = config.lane_of(*SubmitterId::parse("eip155:1:0x0000000000000000000000000000000000000001"));
    ASSERT_NE(another, nullptr);
    EXPECT_EQ(another->confirmations_required, 6U);
    EXPECT_EQ(config.lane_of(*SubmitterId::parse("eip155:3:0x0000000000000000000000000000000000000001")), nullptr);
}

TEST(Configuration, GlobalFlagDoesNotOverrideASubmittersFileSetting) {
    const auto config = config_of({.file = "chains: {main: {id: 1, rpc.url: \"http://n\", confirmations.required: 6}}",
                                   .arguments = {"--confirmations.required=9"}});
    EXPECT_EQ(config.chains.at(0).lane.confirmations_required, 6U);
    EXPECT_EQ(config.lane.confirmations_required, 9U);
}

TEST(Configuration, OneKeySetsAllMembersItConcerns) {
    const auto config =
        config_of({.file = "reconcile.interval: 1m\nrpc.maxInFlight: 7\ndatabase.url: postgresql://h/d\n"});
    EXPECT_EQ(config.lane.reconcile_interval, 1min);
    EXPECT_EQ(config.lane.relaxed.reconcile_interval, 1min);
    EXPECT_EQ(config.chain.rpc.max_in_flight, 7U);
    EXPECT_EQ(config.chain.evm.pool.endpoint.in_flight.most, 7U);
    EXPECT_EQ(config.database.postgres.connection.url, "postgresql://h/d");
}

TEST(Configuration, ChainsHaveNamedEndpointsWithHeaders) {
    const auto config = config_of({.file = R"(
chains:
  main:
    id: 1
    genesis: "0x0101010101010101010101010101010101010101010101010101010101010101"
    rpc.maxBatch: 10
    endpoints:
      own: {url: "http://a", webSocket: "ws://a"}
      provider: {url: "https://b/key", headers: ["Authorization: Bearer a, b"], caFile: ca.pem}
)"});
    ASSERT_EQ(config.chains.size(), 1U);
    const auto& chain = config.chains[0];
    EXPECT_EQ(chain.ref, ChainRef::evm(1));
    EXPECT_EQ(chain.settings.evm.follower.chain, "main");
    ASSERT_TRUE(chain.settings.evm.genesis);
    ASSERT_EQ(chain.endpoints.size(), 2U);
    EXPECT_EQ(chain.endpoints[0].name, "own");
    EXPECT_EQ(chain.endpoints[0].web_socket->host, "a");
    EXPECT_THAT(chain.endpoints[1].rpc.headers, ElementsAre(testing::Pair("Authorization", "Bearer a, b")));
    EXPECT_EQ(chain.endpoints[1].rpc.ca_file, "ca.pem");
    EXPECT_EQ(chain.endpoints[1].rpc.max_batch, 10U);
}

TEST(Configuration, ReportsMissingSignerKeys) {
    const auto config = config_of({.file = "signers: {a: {kind: pkcs11, module: m, token: t, pinFile: p, keys: [x, y]},"
                                           " b: {kind: keystore, folder: f, passwordFile: p},"
                                           " c: {kind: remote, url: \"http://s\", timeout: 1s}}"});
    ASSERT_EQ(config.signers.size(), 3U);
    EXPECT_EQ(config.signers[0].kind, SignerKind::pkcs11);
    EXPECT_THAT(config.signers[0].key_labels, ElementsAre("x", "y"));
    EXPECT_EQ(config.signers[2].remote.time_limit, 1s);
    EXPECT_THAT(problems_of({.file = "signers: {a: {kind: keystore, folder: f}, b: {folder: x}, c: {kind: remote},"
                                     " d: {kind: pkcs11}, e: {kind: development}, f: {kind: magic}}"}),
                UnorderedElementsAre(HasSubstr("signers.a: needs folder, and either"),
                                     HasSubstr("signers.b: has no kind"), HasSubstr("signers.c: needs url"),
                                     HasSubstr("signers.d: needs module"), HasSubstr("signers.e: needs keyFile"),
                                     HasSubstr("\"magic\" is none of keystore, remote, pkcs11, development")));
}

TEST(Configuration, ReportsAllProblemsWithTheirPlaces) {
    EXPECT_THAT(
        problems_of({.file = "confirmations:\n  requird: 12\nlease:\n  duration: 1h\n  renewInterval: soon\n",
                     .environment = {{"FENCEPOST_LISTEM", "x"}},
                     .arguments = {"--gasbump.enable", "true"}}),
        UnorderedElementsAre(
            "f.yaml:2:12: confirmations.requird: unknown key; did you mean confirmations.required?",
            "f.yaml:4:13: lease.duration: \"1h\" is too large: at most 30s",
            "f.yaml:5:18: lease.renewInterval: \"soon\" is not a duration: write a whole number and ms, s, m, h "
            "or d, as in 500ms, 10s or 5m",
            "FENCEPOST_LISTEM: unknown key; did you mean FENCEPOST_LISTEN?",
            "--gasbump.enable: unknown key; did you mean --gasbump.enabled?"));
}

TEST(Configuration, ExplainsWhyTheLeaseCannotBeDisabled) {
    EXPECT_THAT(problems_of({.file = "lease.enabled: false"}), ElementsAre(HasSubstr("the lease cannot be disabled")));
}

TEST(Configuration, ExplainsGroupsScopesAndMaps) {
    EXPECT_THAT(problems_of({.file = "confirmations: 12"}), ElementsAre(HasSubstr("is a group of keys")));
    EXPECT_THAT(problems_of({.file = "chains: {main: 1}"}),
                testing::Contains(HasSubstr("is a group of keys, such as \"chains.main.id\"")));
    EXPECT_THAT(problems_of({.file = "chains: {main: {id: 1, rpc.url: \"http://n\", listen: \"a:1\"}}"}),
                ElementsAre(HasSubstr("is a key of the whole service: write listen at the top level")));
    EXPECT_THAT(problems_of({.file = "chain: {main: {id: 1}}"}),
                ElementsAre(HasSubstr("did you mean chains.main.id?")));
    EXPECT_THAT(problems_of({.file = "chains: {Main Net: {id: 1}}"}),
                ElementsAre(HasSubstr("need names of lower-case letters")));
    EXPECT_THAT(problems_of({.file = "colour: red"}), ElementsAre("f.yaml:1:9: colour: unknown key"));
}

TEST(Configuration, ReportsIncompleteChainsAndSubmitters) {
    EXPECT_THAT(problems_of({.file = "chains: {a: {rpc.url: \"http://n\"}, b: {id: 2}}"}),
                ElementsAre(HasSubstr("chains.a: has no id"), HasSubstr("chains.b: has no endpoint")));
    EXPECT_THAT(problems_of({.file = "chains: {a: {id: 1, rpc.url: \"http://n\"}, b: {id: 1, rpc.url: \"http://n\"}}"}),
                ElementsAre(HasSubstr("chains.b: has the same id as chains.a")));
    EXPECT_THAT(problems_of({.file = "chains: {a: {id: 1, endpoints: {x: {caFile: f}}}}"}),
                ElementsAre(HasSubstr("chains.a.endpoints.x: has no url")));
    EXPECT_THAT(problems_of({.file = std::string("submitters: {a: {account: \"") + vitalik + "\"}}"}),
                ElementsAre(HasSubstr("its chain eip155:1 is not configured")));
    EXPECT_THAT(problems_of({.file = std::string(one_chain) + "submitters: {a: {account: \"" + vitalik +
                                     "\"}, b: {account: \"" + vitalik + "\"}, c: {nonce.window: 1}}"}),
                ElementsAre(HasSubstr("same account as submitters.a"), HasSubstr("submitters.c: has no account")));
}

TEST(Configuration, NeverQuotesSecrets) {
    const Given given{.file =
                          "database.url: mysql://u:hunter2@h/d\nalerts.webhook.url: \"ftp://hunter2\"\n"
                          "alerts.webhook.headers: [hunter2]\nconfirmations.required: ${PASSWORD}\n",
                      .environment = {{"PASSWORD", "hunter2"}}};
    const auto lines = problems_of(given);
    EXPECT_EQ(lines.size(), 4U);
    for (const auto& line : lines)
        EXPECT_THAT(line, testing::Not(HasSubstr("hunter2")));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("\"${PASSWORD}\" is not a whole number")));
}

TEST(Configuration, RequiresExpandedVariables) {
    const Given given{.file = "node.name: a-${REGION}\nlog.format: ${FENCEPOST_FORMAT}\n",
                      .environment = {{"REGION", "eu"}, {"FENCEPOST_FORMAT", "json"}}};
    const auto config = config_of(given);
    EXPECT_EQ(config.node_name, "a-eu");
    EXPECT_EQ(config.log_format, telemetry::LogFormat::json);
    EXPECT_THAT(problems_of({.file = "node.name: a-${REGION}"}),
                ElementsAre("f.yaml:1:12: node.name: needs the environment variable REGION, which is not set"));
    EXPECT_EQ(config_of({.environment = {{"FENCEPOST_NODE_NAME", "a$b${c}"}}}).node_name, "a$b${c}");
}

TEST(Configuration, VariablesSetKeysOfNamedChains) {
    const auto config =
        config_of({.file = "chains: {base-sepolia: {id: 84532, endpoints: {a-b: {url: \"http://n\"}}}}",
                   .environment = {{"FENCEPOST_CHAINS_BASE_SEPOLIA_CONFIRMATIONS_REQUIRED", "3"},
                                   {"FENCEPOST_CHAINS_BASE_SEPOLIA_ENDPOINTS_A_B_HEADERS", "X: 1, Y: 2"},
                                   {"FENCEPOST_CHAINS_NEW_ID", "5"},
                                   {"FENCEPOST_CHAINS_NEW_RPC_URL", "http://five"},
                                   {"FENCEPOST_CHAINS_NEW_ENDPOINTS_MORE_URL", "http://six"}}});
    ASSERT_EQ(config.chains.size(), 2U);
    EXPECT_EQ(config.chains[0].lane.confirmations_required, 3U);
    EXPECT_EQ(config.chains[0].endpoints.at(0).rpc.headers.size(), 2U);
    EXPECT_EQ(config.chains[1].name, "new");
    EXPECT_EQ(config.chains[1].endpoints.size(), 2U);
    EXPECT_THAT(problems_of({.environment = {{"FENCEPOST_CHAINS_NEW_COLOUR", "red"}}}),
                ElementsAre(HasSubstr("FENCEPOST_CHAINS_NEW_COLOUR: unknown key")));
}

TEST(Configuration, IgnoresKubernetesServiceVariables) {
    EXPECT_THAT(problems_of({.environment = {{"FENCEPOST_SERVICE_HOST", "10.0.0.1"},
                                             {"FENCEPOST_PORT", "tcp://10.0.0.1:8646"},
                                             {"FENCEPOST_PORT_8646_TCP_ADDR", "10.0.0.1"},
                                             {"FENCEPOST_CONFIG", "f.yaml"}}}),
                testing::IsEmpty());
}

TEST(Configuration, IgnoresCliVariables) {
    EXPECT_THAT(problems_of({.environment = {{"FENCEPOST_URL", "https://node:8646"}, {"FENCEPOST_API_KEY", "fp_x"}}}),
                testing::IsEmpty());
}

TEST(Configuration, OnlySwitchesMayOmitTheValue) {
    EXPECT_TRUE(config_of({.arguments = {"--gasbump.enabled"}}).lane.bump.enabled);
    EXPECT_FALSE(config_of({.arguments = {"--resubmit.enabled", "false"}}).lane.resubmit.enabled);
    EXPECT_THAT(problems_of({.arguments = {"--listen"}}), ElementsAre("--listen: needs a value"));
    EXPECT_THAT(problems_of({.arguments = {"f.yaml"}}), ElementsAre(HasSubstr("\"f.yaml\" is unexpected")));
    EXPECT_THAT(problems_of({.arguments = {"--listen=a:1", "--listen", "b:1"}}),
                ElementsAre(HasSubstr("is set twice")));
    EXPECT_THAT(problems_of({.arguments = {"--", "-x", "--"}}), testing::SizeIs(3));
}

TEST(Configuration, DottedAndNestedKeysAreEqual) {
    EXPECT_THAT(problems_of({.file = "lease.duration: 10s\nlease: {duration: 11s}\n"}),
                ElementsAre("f.yaml:2:19: lease.duration: is set twice, first at f.yaml:1:17"));
}

TEST(Configuration, RejectsWrongTypesAndOverflow) {
    EXPECT_THAT(problems_of({.file = "confirmations.required: [1, 2]"}),
                ElementsAre(HasSubstr("takes one value, not a list")));
    EXPECT_THAT(problems_of({.file = "confirmations.required: []"}),
                ElementsAre(HasSubstr("takes one value, not a list")));
    EXPECT_THAT(problems_of({.file = "nonce.startFrom: 99999999999999999999999"}), ElementsAre(HasSubstr("too large")));
    EXPECT_THAT(problems_of({.file = "nonce.window: 4294967297"}),
                ElementsAre(HasSubstr("is too large: at most 10000")));
    EXPECT_THAT(problems_of({.file = "gasbump.enabled: yes"}),
                ElementsAre(HasSubstr("\"yes\" is neither true nor false")));
    EXPECT_THAT(problems_of({.file = "fees.cap: 1e9"}), ElementsAre(HasSubstr("is not an amount")));
}

TEST(Configuration, WindowAcceptsAutoOrANumber) {
    const auto window_in = [](const std::string& file) { return config_of({.file = file}).lane.window; };
    EXPECT_EQ(window_in(""), WindowRules{});
    EXPECT_FALSE(window_in("").is_fixed());
    EXPECT_EQ(window_in("nonce.window: auto"), WindowRules{});
    EXPECT_EQ(window_in("nonce.window: 1"), WindowRules(1));
    EXPECT_EQ(window_in("nonce.window: 10000"), WindowRules(10'000));
    EXPECT_THAT(problems_of({.file = "nonce.window: 0"}), ElementsAre(HasSubstr("is too small: at least 1")));
    EXPECT_THAT(problems_of({.file = "nonce.window: 10001"}), ElementsAre(HasSubstr("is too large: at most 10000")));
    for (const auto* wrong : {"Auto", "automatic", "-1", "1.5", "16x", "\"\""}) {
        EXPECT_THAT(problems_of({.file = fmt::format("nonce.window: {}", wrong)}),
                    ElementsAre(HasSubstr("is neither auto nor a whole number")))
            << wrong;
    }
}

TEST(Configuration, DelegatedAccountsHaveOneInFlightByDefault) {
    EXPECT_TRUE(config_of({}).lane.delegated_one_at_a_time);
    const auto config = config_of({.file = R"(
nonce.delegatedAccounts: single
chains:
  main: {id: 1, rpc.url: "http://node"}
  other: {id: 2, rpc.url: "http://node2", nonce.delegatedAccounts: window}
)"});
    ASSERT_EQ(config.chains.size(), 2U);
    EXPECT_TRUE(config.chains[0].lane.delegated_one_at_a_time);
    EXPECT_FALSE(config.chains[1].lane.delegated_one_at_a_time);
    EXPECT_THAT(problems_of({.file = "nonce.delegatedAccounts: true"}),
                ElementsAre(HasSubstr("is none of single, window")));
}

TEST(Configuration, TruncatesManyProblems) {
    std::string file;
    for (int i = 0; i < 1000; ++i)
        file += fmt::format("x{}: 1\n", i);
    const auto lines = problems_of({.file = file});
    EXPECT_EQ(lines.size(), 51U);
    EXPECT_EQ(lines.back(), "and 950 more");
}

TEST(Configuration, AnyPolicyKeyCreatesAPolicy) {
    EXPECT_FALSE(config_of({}).lane.policy);
    const auto config = config_of({.file = R"yaml(
policy:
  destinations: ["0x3333333333333333333333333333333333333333"]
  functions: ["transfer(address,uint256)", "0x095ea7b3"]
  maxValuePerWindow: 2 ether
  window: 1h
monitoring.lowBalance: 0.1 ether
)yaml"});
    ASSERT_TRUE(config.lane.policy);
    EXPECT_EQ(config.lane.policy->destinations.size(), 1U);
    ASSERT_EQ(config.lane.policy->selectors.size(), 2U);
    EXPECT_EQ(config.lane.policy->selectors[0], *Selector::from(Bytes{0xa9, 0x05, 0x9c, 0xbb}));
    EXPECT_EQ(config.lane.policy->limits.value_per_window, Wei(Uint256(2'000'000'000'000'000'000)));
    EXPECT_EQ(config.lane.policy->limits.window, 1h);
    EXPECT_EQ(config.lane.low_balance, Wei(Uint256(100'000'000'000'000'000)));
}

}  // namespace
}  // namespace fencepost::config
