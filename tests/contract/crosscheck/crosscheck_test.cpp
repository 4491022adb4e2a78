// Two implementations that share no line with ours, ethers and viem, must understand every transaction of ours as we
// meant it, and we theirs: thousands of random ones of each type, the same in every run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "codec/sign.hpp"
#include "codec/test_transactions.hpp"
#include "describe.hpp"
#include "support/child_process.hpp"

namespace fencepost::codec::test {
namespace {

namespace fs = std::filesystem;

constexpr int per_kind = 2'000;
constexpr std::uint8_t key_count = 8;
constexpr std::uint64_t seed = 20'240'801;
constexpr std::uint64_t max_javascript_number = (std::uint64_t{1} << 53U) - 1;

class CrossCheck : public testing::Test {
protected:
    CrossCheck() {
        auto name = (fs::temp_directory_path() / "fencepost-crosscheck-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
        folder_ = name;
    }
    ~CrossCheck() override { fs::remove_all(folder_); }

    [[nodiscard]] fs::path file(std::string_view name) const { return folder_ / name; }

    /// Runs crosscheck.mjs and gives its exit code.
    int run(std::vector<std::string> arguments) const {
        std::vector<std::string> command{"/usr/bin/env", "node",
                                         FENCEPOST_SOURCE_DIR "/tests/contract/crosscheck/crosscheck.mjs"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        fencepost::test::ChildProcess node(command, {.log = file("log")});
        return node.wait();
    }

    [[nodiscard]] std::string log() const {
        std::ostringstream text;
        text << std::ifstream(file("log")).rdbuf();
        return text.str();
    }

private:
    fs::path folder_;
};

std::vector<std::string> our_lines() {
    std::vector<std::string> lines;
    RandomTransactions random(seed, max_javascript_number);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < per_kind; ++i) {
            const auto made = sign(random.next(kind), key(static_cast<std::uint8_t>(i % key_count)));
            lines.push_back(to_hex_prefixed(made.raw) + " " + describe(decode(made.raw).value()));
        }
    }
    return lines;
}

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
    std::ofstream out(path);
    for (const auto& line : lines)
        out << line << '\n';
}

TEST_F(CrossCheck, EthersAndViemReadOurTransactionsAsWeMeantThem) {
    write_lines(file("ours"), our_lines());
    EXPECT_EQ(run({"check", file("ours")}), 0) << log();
    // It says how many of each type it has read; legacy ones are of two kinds.
    EXPECT_EQ(log(), R"({"type=0":4000,"type=1":2000,"type=2":2000,"type=3":2000,"type=4":2000})"
                     "\n");
}

TEST_F(CrossCheck, WouldNoticeADifference) {
    auto lines = our_lines();
    for (std::size_t i = 0; i < all_kinds.size(); ++i) {
        auto line = lines.at(i * per_kind);
        line.replace(line.find("nonce="), 6, "nonce=1");
        write_lines(file("ours"), {line});
        EXPECT_EQ(run({"check", file("ours")}), 1) << line;
    }
}

TEST_F(CrossCheck, WeReadTransactionsOfEthersAndViemAsTheyMeantThem) {
    ASSERT_EQ(run({"make", std::to_string(per_kind), std::to_string(seed), file("theirs")}), 0) << log();
    std::map<Address, PrivateKey> keys;
    for (std::uint8_t number = 0; number < key_count; ++number)
        keys.emplace(key(number).address(), key(number));

    std::ifstream in(file("theirs"));
    std::map<std::size_t, int> counts;
    for (std::string line; std::getline(in, line);) {
        const auto blank = line.find(' ');
        const Bytes raw = from_hex(line.substr(0, blank)).value();
        const auto decoded = decode(raw);
        ASSERT_TRUE(decoded) << decoded.error().what << "\n" << line;
        ASSERT_EQ(describe(*decoded), line.substr(blank + 1));
        ASSERT_EQ(encode(decoded->transaction, decoded->signature), raw);
        // Signing is deterministic on both sides.
        ASSERT_EQ(sign(decoded->transaction, keys.at(decoded->sender)).raw, raw) << line;
        ++counts[decoded->transaction.index()];
    }
    EXPECT_EQ(counts, (std::map<std::size_t, int>{
                          {0, 2 * per_kind}, {1, per_kind}, {2, per_kind}, {3, per_kind}, {4, per_kind}}));
}

}  // namespace
}  // namespace fencepost::codec::test
