// Compares transaction encoding with ethers and viem, two implementations that share no code with ours: each side must
// decode the other's transactions correctly. Thousands of random ones of each type, the same in every run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/sign.hpp"
#include "codec/test_transactions.hpp"
#include "describe.hpp"
#include "line_files.hpp"
#include "support/child_process.hpp"

namespace fencepost::codec::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* transaction_program = FENCEPOST_SOURCE_DIR "/tests/contract/crosscheck/crosscheck.mjs";
// Ethers and viem take ten milliseconds per transaction: script/nightly runs ten times as many.
const int per_kind = std::getenv("FENCEPOST_MORE_CASES") == nullptr ? 200 : 2'000;
constexpr std::uint8_t key_count = 8;
constexpr std::uint64_t max_javascript_number = (std::uint64_t{1} << 53U) - 1;

class CrossCheck : public testing::Test {
protected:
    [[nodiscard]] fs::path file(std::string_view name) const { return files_.path(name); }

    /// Runs crosscheck.mjs concurrently for each library and returns what each one printed.
    [[nodiscard]] std::map<std::string, std::string> ask(std::string_view what,
                                                         std::vector<std::string> arguments) const {
        std::map<std::string, std::unique_ptr<fencepost::test::ChildProcess>> running;
        for (const std::string library : {"ethers", "viem"}) {
            std::vector<std::string> command{"/usr/bin/env", "node", transaction_program, library, std::string(what)};
            command.insert(command.end(), arguments.begin(), arguments.end());
            if (what == "make") command.push_back(file(library));
            running[library] = std::make_unique<fencepost::test::ChildProcess>(
                std::move(command), fencepost::test::ChildOptions{.log = file(library + ".log")});
        }
        std::map<std::string, std::string> printed;
        for (const auto& [library, process] : running) {
            const int code = process->wait();
            printed[library] = files_.read(library + ".log");
            EXPECT_EQ(code, 0) << library << ": " << printed[library];
        }
        return printed;
    }

    LineFiles files_;
};

std::vector<std::string> our_transactions() {
    std::vector<std::string> lines;
    RandomTransactions random(seed_of_every_run, max_javascript_number);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < per_kind; ++i) {
            const auto made = sign(random.next(kind), key(static_cast<std::uint8_t>(i % key_count)));
            lines.push_back(to_hex_prefixed(made.raw) + " " + describe(decode(made.raw).value()));
        }
    }
    return lines;
}

TEST_F(CrossCheck, EthersAndViemDecodeOurTransactions) {
    files_.write("ours", our_transactions());
    for (const auto& [library, said] : ask("check", {file("ours")})) {
        // There are two kinds of legacy transactions.
        EXPECT_EQ(said, fmt::format(R"({{"type=0":{1},"type=1":{0},"type=2":{0},"type=3":{0},"type=4":{0}}})"
                                    "\n",
                                    per_kind, 2 * per_kind))
            << library;
    }
}

TEST_F(CrossCheck, DetectsDifference) {
    auto lines = our_transactions();
    std::vector<std::string> changed;
    for (std::size_t kind = 0; kind < all_kinds.size(); ++kind) {
        auto line = lines.at(kind * static_cast<std::size_t>(per_kind));
        changed.push_back(line.replace(line.find("nonce="), 6, "nonce=1"));
    }
    files_.write("ours", changed);
    for (const auto& [library, said] : ask("check", {file("ours")}))
        EXPECT_TRUE(said.ends_with("{\"wrong\":6}\n")) << library << ": " << said;
}

/// Checks each line of a file; returns the number of each type.
std::map<std::size_t, int> read_theirs(const fs::path& path) {
    std::map<Address, PrivateKey> keys;
    for (std::uint8_t number = 0; number < key_count; ++number)
        keys.emplace(key(number).address(), key(number));

    std::ifstream in(path);
    std::map<std::size_t, int> counts;
    for (std::string line; std::getline(in, line);) {
        const auto blank = line.find(' ');
        const Bytes raw = from_hex(line.substr(0, blank)).value();
        const auto decoded = decode(raw);
        EXPECT_TRUE(decoded) << decoded.error().what << "\n" << line;
        if (!decoded) break;
        EXPECT_EQ(describe(*decoded), line.substr(blank + 1));
        EXPECT_EQ(encode(decoded->transaction, decoded->signature), raw);
        // Signing is deterministic on both sides.
        EXPECT_EQ(sign(decoded->transaction, keys.at(decoded->sender)).raw, raw) << line;
        ++counts[decoded->transaction.index()];
        if (testing::Test::HasFailure()) break;
    }
    return counts;
}

TEST_F(CrossCheck, DecodesTransactionsOfEthersAndViem) {
    const int each = per_kind / 2;
    (void)ask("make", {std::to_string(each), std::to_string(seed_of_every_run)});
    for (const auto* library : {"ethers", "viem"}) {
        EXPECT_EQ(read_theirs(file(library)),
                  (std::map<std::size_t, int>{{0, 2 * each}, {1, each}, {2, each}, {3, each}, {4, each}}))
            << library;
    }
}

}  // namespace
}  // namespace fencepost::codec::test
