// One suite for every chain: a test is written once, against the port, and runs on anvil, on hardhat, on our
// development chain and on the simulated chain, in virtual time, and on what else implements the buttons below.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codec/sign.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"

namespace fencepost::contract {

/// In what nodes differ, and may.
struct Habits {
    /// To a nonce that leaves a gap, while it mines at once.
    SendOutcome to_a_gap = SendOutcome::accepted;
    /// To a maximum fee that no block would take.
    SendOutcome to_a_low_fee = SendOutcome::fee_below_base_fee;
    /// To bytes that are no transaction.
    SendOutcome to_garbage = SendOutcome::unknown;
    /// Whether it calls its head final: then every reorg is one below finality, and told as a fresh start.
    bool is_final_at_once = false;
    /// Whether it shows its mempool by account.
    bool shows_mempool = false;
};

/// A chain, the time it lives in, and the buttons of whoever runs it.
class ChainUnderTest {
public:
    virtual ~ChainUnderTest() = default;

    [[nodiscard]] virtual Executor executor() = 0;
    [[nodiscard]] virtual Clock& clock() = 0;
    /// Runs the task to its end, or until it has had time enough. Throws what it throws.
    virtual void drive(Task<void> task) = 0;

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

    /// A contract that fails every call with the reason "no"; none where a test can deploy one.
    [[nodiscard]] virtual std::optional<std::string> contract_that_reverts() = 0;
    [[nodiscard]] virtual Habits habits() const = 0;
};

using MakeChain = std::unique_ptr<ChainUnderTest> (*)();

// One file each.
[[nodiscard]] std::unique_ptr<ChainUnderTest> make_anvil();
[[nodiscard]] std::unique_ptr<ChainUnderTest> make_hardhat();
[[nodiscard]] std::unique_ptr<ChainUnderTest> make_development();
[[nodiscard]] std::unique_ptr<ChainUnderTest> make_simulated();

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

    std::unique_ptr<ChainUnderTest> under_test_;
    bool ended_ = false;
};

}  // namespace fencepost::contract
