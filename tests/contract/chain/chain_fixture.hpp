// One suite for every chain: a test is written once, against the port, and runs on anvil and on hardhat, and on what
// else implements the buttons below.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "codec/sign.hpp"
#include "ports/chain.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {

/// A chain, and the buttons of whoever runs it.
class ChainUnderTest {
public:
    virtual ~ChainUnderTest() = default;

    [[nodiscard]] virtual Chain& chain() = 0;
    /// Ready, with each transaction mined at once. run() goes on beside the test.
    [[nodiscard]] virtual Task<void> start() = 0;
    [[nodiscard]] virtual Task<void> run() = 0;
    [[nodiscard]] virtual Task<void> fund(SubmitterId account, Wei wei) = 0;
    [[nodiscard]] virtual Task<void> set_automine(bool on) = 0;
    [[nodiscard]] virtual Task<void> mine(std::size_t blocks) = 0;
    /// Replaces the last blocks that mine() made, without the transactions in them.
    [[nodiscard]] virtual Task<void> reorg(std::size_t depth) = 0;
    [[nodiscard]] virtual Task<void> drop(TxHash hash) = 0;
    /// No answers until resumed.
    virtual void stall() = 0;
    virtual void resume() = 0;

    /// What this node does with a nonce that leaves a gap, while it mines at once.
    [[nodiscard]] virtual SendOutcome to_a_gap() const = 0;
    /// Whether it calls its head final: then every reorg is one below finality, and told as a fresh start.
    [[nodiscard]] virtual bool is_final_at_once() const = 0;
    /// Whether it shows its mempool by account.
    [[nodiscard]] virtual bool shows_mempool() const = 0;
};

using MakeChain = std::unique_ptr<ChainUnderTest> (*)(const Executor& executor, Clock& clock);

struct NamedChain {
    const char* name;
    MakeChain make;
};

/// The chains that this program was built with.
[[nodiscard]] std::vector<NamedChain> all_chains();

/// Nothing when there is no error.
template <typename T>
[[nodiscard]] std::optional<RpcError::Kind> error_of(const RpcResult<T>& result) {
    if (result) return std::nullopt;
    return result.error().kind;
}

class ChainContract : public testing::TestWithParam<NamedChain> {
protected:
    /// A transaction of this test's own account, which is new and rich.
    struct Wish {
        std::uint64_t nonce = 0;
        std::optional<std::string> to = "0x00000000000000000000000000000000000000ee";
        std::uint64_t value = 1;
        std::uint64_t gas = 21'000;
        std::uint64_t max_fee = 100'000'000'000;
        std::uint64_t tip = 1'000'000'000;
        Bytes data{};
    };

    ChainContract();

    /// Runs the body to its end, with the chain beside it; an exception or a body that never ends fails the test.
    void run(Task<void> body);

    [[nodiscard]] Chain& chain() { return under_test_->chain(); }
    [[nodiscard]] ChainUnderTest& buttons() { return *under_test_; }
    [[nodiscard]] SignedTransaction signed_by(const codec::PrivateKey& key, const Wish& wish) const;
    [[nodiscard]] SignedTransaction transaction(const Wish& wish) const { return signed_by(key_, wish); }
    [[nodiscard]] Task<SendReport::Answer> send(SignedTransaction transaction);
    /// Sends, mines and gives the receipt.
    [[nodiscard]] Task<Receipt> mined(SignedTransaction transaction);
    /// Reads until the answer is there, since heads are followed by looking again and again.
    [[nodiscard]] Task<void> pause();

    codec::PrivateKey key_;
    SubmitterId account_;

private:
    [[nodiscard]] Task<void> beside(Task<void> body);

    SystemClock clock_;
    asio::io_context context_{1};
    std::unique_ptr<ChainUnderTest> under_test_;
    bool ended_ = false;
};

}  // namespace fencepost::contract
