#include "config/print.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/test_load.hpp"

namespace fencepost::config {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string printed(const Given& given) {
    const auto loaded = load(given);
    if (loaded) return print(*loaded);
    return "problem: " + loaded.error().front().to_string();
}

/// Without where settings came from.
std::string uncommented(const std::string& text) {
    std::string out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        out += line.substr(0, line.find("  # ")) + "\n";
    return out;
}

TEST(PrintedConfig, PrintsEffectiveValuesAndSources) {
    const auto text = printed({.file = "lease.duration: 12s\n",
                               .environment = {{"FENCEPOST_CONFIRMATIONS_REQUIRED", "3"}},
                               .arguments = {"--fees.cap", "100000000000"}});
    EXPECT_THAT(text, HasSubstr("lease:\n  duration: 12s  # f.yaml:1:17\n  renewInterval: 3s\n"));
    EXPECT_THAT(text, HasSubstr("  required: 3  # FENCEPOST_CONFIRMATIONS_REQUIRED\n"));
    EXPECT_THAT(text, HasSubstr("  cap: 100 gwei  # --fees.cap\n"));
    EXPECT_THAT(text, HasSubstr("listen: \"127.0.0.1:8646\"\n"));
}

TEST(PrintedConfig, RoundTrips) {
    const auto first =
        printed({.file = "gasbump: {multiplier: 1.2, enabled: true}\nnode.name: \"a $$ \\\"b\\\" \\\\ #c: d\"\n"
                         "chains: {main: {id: 1, confirmations.required: 4, endpoints: {}, fees.minTip: 1 gwei}}\n"
                         "signers: {hsm: {kind: pkcs11, module: m, token: t, pinFile: p, keys: [x, \"y, z\"]}}\n",
                 .arguments = {"--chains.main.rpc.url", "http://node"}});
    ASSERT_THAT(first, Not(HasSubstr("problem")));
    auto again = uncommented(first);
    again.replace(again.find("(hidden)"), 8, "\"http://node\"");
    EXPECT_EQ(uncommented(printed({.file = again})), uncommented(first));
}

TEST(PrintedConfig, PrintsJson) {
    const auto loaded =
        load(Given{.file = "database.url: postgresql://u:hunter2@h/d\n"
                           "chains: {main: {id: 1, rpc.url: \"https://x/hunter2\"}}\n"
                           "signers: {hsm: {kind: pkcs11, module: m, token: t, pinFile: p, keys: [x, y]}}\n",
                   .arguments = {"--lease.duration", "12s"}});
    ASSERT_TRUE(loaded) << loaded.error().front().to_string();
    const auto text = print_json(*loaded);
    EXPECT_THAT(text, HasSubstr(R"({"key":"lease.duration","value":"12s","hidden":false,"from":"--lease.duration"})"));
    EXPECT_THAT(text, HasSubstr(R"({"key":"lease.renewInterval","value":"3s","hidden":false,"from":null})"));
    EXPECT_THAT(text, HasSubstr(R"({"key":"database.url","value":null,"hidden":true,"from":"f.yaml:1:15"})"));
    EXPECT_THAT(text, HasSubstr(R"({"key":"signers.hsm.keys","value":["x","y"],"hidden":false,"from":)"));
    EXPECT_THAT(text, Not(HasSubstr("hunter2")));
}

TEST(PrintedConfig, HidesSecrets) {
    const auto text = printed(
        {.file = "database.url: postgresql://u:hunter2@h/d\nalerts.webhook: {url: \"https://x/hunter2\", headers: "
                 "[\"A: hunter2\"]}\n"
                 "chains: {main: {id: 1, rpc.url: \"https://x/hunter2\", endpoints: {a: {url: \"http://hunter2\", "
                 "webSocket: \"ws://hunter2\", headers: [\"A: hunter2\"]}}}}\n"
                 "signers: {a: {kind: remote, url: \"http://u:hunter2@x\", headers: [\"A: hunter2\"]}}\n"});
    EXPECT_THAT(text, Not(HasSubstr("hunter2")));
    EXPECT_THAT(text, HasSubstr("url: (hidden)"));
    EXPECT_THAT(text, Not(HasSubstr("problem")));
}

}  // namespace
}  // namespace fencepost::config
