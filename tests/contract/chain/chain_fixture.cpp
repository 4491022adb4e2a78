// Runs a chain test, and signs its transactions.
#include "chain_fixture.hpp"

#include "base/async/task_group.hpp"
#include "base/crypto/keccak.hpp"
#include "system/system_random.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t suite_chain_id = 31337;

codec::PrivateKey new_key() {
    SystemRandom random;
    Bytes seed(8);
    for (auto& byte : seed)
        byte = static_cast<std::uint8_t>(random.bits());
    const auto secret = keccak256(seed);
    return codec::PrivateKey::from_bytes(secret).value();
}

}  // namespace

ChainContract::ChainContract()
    : key_(new_key()),
      account_(SubmitterId::evm(suite_chain_id, key_.address())),
      under_test_(GetParam().make()) {}

void ChainContract::run(Task<void> body) {
    under_test_->drive(in_background(std::move(body)));
    EXPECT_TRUE(ended_) << "the body did not end";
}

Task<void> ChainContract::in_background(Task<void> body) {
    co_await under_test_->start();
    co_await under_test_->fund(account_, Wei(Uint256::parse("1000000000000000000000").value()));
    TaskGroup group(under_test_->executor());
    group.spawn(under_test_->run());
    std::exception_ptr error;
    try {
        co_await std::move(body);
    } catch (...) {
        error = std::current_exception();
    }
    under_test_->resume();
    group.cancel();
    co_await group.join();
    ended_ = true;
    if (error) std::rethrow_exception(error);
}

SignedTransaction ChainContract::signed_by(const codec::PrivateKey& key, const TransactionRequest& wish) const {
    return codec::sign(UnsignedTransaction{.from = SubmitterId::evm(suite_chain_id, key.address()),
                                           .nonce = Nonce(wish.nonce),
                                           .to = wish.to,
                                           .value = Wei(wish.value),
                                           .data = wish.data,
                                           .gas_limit = Gas(wish.gas),
                                           .fees = DynamicFee{Wei(wish.max_fee), Wei(wish.tip)}},
                       key);
}

Task<SendReport::Answer> ChainContract::send(SignedTransaction transaction) {
    const auto reports = co_await chain().send({.from = account_, .items = {{Nonce{}, transaction.raw}}});
    co_return reports.at(0).answers.at(0);
}

Task<Receipt> ChainContract::mined(SignedTransaction transaction) {
    co_await controls().set_automine(false);
    const auto answer = co_await send(transaction);
    EXPECT_EQ(answer.outcome, SendOutcome::accepted) << answer.message;
    co_await controls().mine(1);
    co_await controls().set_automine(true);
    std::vector<TxHash> hashes{transaction.hash};
    const auto receipts = co_await chain().receipts(std::move(hashes), {});
    co_return receipts.at(0).value().value();
}

std::vector<NamedChain> all_chains() {
    return {{"anvil", make_anvil},
            {"hardhat", make_hardhat},
            {"development", make_development},
            {"simulated", make_simulated}};
}

Task<void> ChainContract::pause() { return under_test_->clock().sleep_for(20ms); }

}  // namespace fencepost::contract
