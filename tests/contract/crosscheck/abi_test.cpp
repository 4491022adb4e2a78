// Compares ABI encoding with ethers, which shares no code with us: thousands of random functions with random arguments,
// the same in every run.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/abi/abi_call.hpp"
#include "codec/abi/test_abi.hpp"
#include "line_files.hpp"
#include "support/child_process.hpp"

namespace fencepost::codec::test {
namespace {

constexpr const char* abi_program = FENCEPOST_SOURCE_DIR "/tests/contract/crosscheck/abi.mjs";
constexpr int call_count = 3'000;

std::string line_of(const std::string& signature, const std::string& arguments) {
    const auto encoded = encode_call(signature, arguments);
    EXPECT_TRUE(encoded) << signature << " " << arguments << ": " << encoded.error().what;
    return fmt::format("{}\t{}\t{}", signature, arguments, encoded ? to_hex_prefixed(*encoded) : "");
}

std::vector<std::string> our_calls() {
    std::vector<std::string> lines;
    RandomAbi random(seed_of_every_run);
    for (int i = 0; i < call_count; ++i) {
        const auto made = random.next();
        lines.push_back(i % 2 == 0 ? line_of(made.canonical, made.by_order) : line_of(made.signature, made.by_name));
    }
    return lines;
}

std::string verdict_of_ethers(const std::vector<std::string>& lines) {
    const LineFiles files;
    files.write("calls", lines);
    fencepost::test::ChildProcess process({"/usr/bin/env", "node", abi_program, files.path("calls")},
                                          fencepost::test::ChildOptions{.log = files.path("log")});
    const int code = process.wait();
    EXPECT_EQ(code, 0);
    return files.read("log");
}

TEST(AbiCrossCheck, EthersEncodesCallsIdentically) {
    EXPECT_EQ(verdict_of_ethers(our_calls()), "{\"same\":3000,\"wrong\":0}\n");
}

TEST(AbiCrossCheck, DetectsDifference) {
    auto lines = our_calls();
    lines.resize(5);
    for (auto& line : lines)
        line.back() = line.back() == '0' ? '1' : '0';
    EXPECT_TRUE(verdict_of_ethers(lines).ends_with("{\"same\":0,\"wrong\":5}\n"));
}

}  // namespace
}  // namespace fencepost::codec::test
