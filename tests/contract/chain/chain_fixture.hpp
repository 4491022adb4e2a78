// Contract suite of the Chain port: each test is written once and runs on anvil, hardhat, our development chain and, in
// virtual time, the simulated chain; and on any other implementation of the controls below.
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

/// Permitted differences between nodes.
struct NodeBehaviour {
    /// Outcome for a nonce that leaves a gap, while automining.
    SendOutcome to_a_gap = SendOutcome::accepted;
    /// Outcome for a maximum fee below the base fee.
    SendOutcome to_a_low_fee = SendOutcome::fee_below_base_fee;
    /// Outcome for bytes that are not a transaction.
    SendOutcome to_garbage = SendOutcome::unknown;
    /// Whether the head is final at once: then every reorg is below finality and reported as a fresh start.
    bool is_final_at_once = false;
    /// Whether it exposes its mempool by account.
    bool shows_mempool = false;
};

/// A chain, its clock, and the controls of its operator.
class ChainUnderTest {
public:
    virtual ~ChainUnderTest() = default;

    [[nodiscard]] virtual Executor executor() = 0;
    [[nodiscard]] virtual Clock& clock() = 0;
    /// Runs the task to its end or its time limit. Rethrows its exception.
    virtual void drive(Task<void> task) = 0;

    [[nodiscard]] virtual Chain& chain() = 0;
    /// Ready, with automining on. run() continues in the background.
    [[nodiscard]] virtual Task<void> start() = 0;
    [[nodiscard]] virtual Task<void> run() = 0;
    [[nodiscard]] virtual Task<void> fund(SubmitterId account, Wei wei) = 0;
    [[nodiscard]] virtual Task<void> set_automine(bool on) = 0;
    [[nodiscard]] virtual Task<void> mine(std::size_t blocks) = 0;
    /// Replaces the last blocks that mine() made, without their transactions.
    [[nodiscard]] virtual Task<void> reorg(std::size_t depth) = 0;
    [[nodiscard]] virtual Task<void> drop(TxHash hash) = 0;
    /// No answers until resumed.
    virtual void stall() = 0;
    virtual void resume() = 0;

    /// A contract that reverts every call with the reason "no"; empty where a test can deploy one.
    [[nodiscard]] virtual std::optional<std::string> contract_that_reverts() = 0;
    [[nodiscard]] virtual NodeBehaviour behaviour() const = 0;
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

/// The chains available in this build.
[[nodiscard]] std::vector<NamedChain> all_chains();

inline std::string name_of_chain(const testing::TestParamInfo<NamedChain>& info) { return info.param.name; }

/// Empty when there is no error.
template <typename T>
[[nodiscard]] std::optional<RpcError::Kind> error_of(const RpcResult<T>& result) {
    if (result) return std::nullopt;
    return result.error().kind;
}

class ChainContract : public testing::TestWithParam<NamedChain> {
protected:
    /// A transaction of this test's own new, funded account.
    struct TransactionRequest {
        std::uint64_t nonce = 0;
        std::optional<std::string> to = "0x00000000000000000000000000000000000000ee";
        std::uint64_t value = 1;
        std::uint64_t gas = 21'000;
        std::uint64_t max_fee = 100'000'000'000;
        std::uint64_t tip = 1'000'000'000;
        Bytes data{};
    };

    ChainContract();

    /// Runs the body to its end, with the chain in the background; an exception or a body that never ends fails the
    /// test.
    void run(Task<void> body);

    [[nodiscard]] Chain& chain() { return under_test_->chain(); }
    [[nodiscard]] ChainUnderTest& controls() { return *under_test_; }
    [[nodiscard]] SignedTransaction signed_by(const codec::PrivateKey& key, const TransactionRequest& wish) const;
    [[nodiscard]] SignedTransaction transaction(const TransactionRequest& wish) const { return signed_by(key_, wish); }
    [[nodiscard]] Task<SendReport::Answer> send(SignedTransaction transaction);
    /// Sends, mines and returns the receipt.
    [[nodiscard]] Task<Receipt> mined(SignedTransaction transaction);
    /// Polling interval: heads are followed by polling.
    [[nodiscard]] Task<void> pause();

    codec::PrivateKey key_;
    SubmitterId account_;

private:
    [[nodiscard]] Task<void> in_background(Task<void> body);

    std::unique_ptr<ChainUnderTest> under_test_;
    bool ended_ = false;
};

}  // namespace fencepost::contract
