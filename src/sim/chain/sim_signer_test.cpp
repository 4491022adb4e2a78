#include "sim/chain/sim_signer.hpp"

#include <gtest/gtest.h>

#include "codec/transaction.hpp"
#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

TEST(SimSigner, SignsDeterministicallyAsTheSubmitter) {
    SimSigner signer(31'337, 5);
    SimSigner again(31'337, 5);
    const auto alice = signer.submitter(0);
    EXPECT_EQ(alice, again.submitter(0));
    EXPECT_NE(alice, signer.submitter(1));
    EXPECT_NE(alice, SimSigner(31'337, 6).submitter(0));
    const auto made = signer.sign_now(unsigned_of(alice, {.nonce = 3}));
    EXPECT_EQ(made.raw, again.sign_now(unsigned_of(alice, {.nonce = 3})).raw);
    const auto decoded = codec::decode(made.raw);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->sender, *alice.evm_address());
    EXPECT_EQ(decoded->hash, made.hash);
}

TEST(SimSigner, CachesTheSameTransactionAsTheBytes) {
    TxCache told;
    TxCache read;
    SimSigner signer(31'337, 5, &told);
    for (const Fees& fees : {Fees(fee_of(10, 2)), Fees(LegacyFee{Wei(7)})}) {
        const auto made = signer.sign_now(unsigned_of(signer.submitter(0), {.nonce = 3, .fees = fees, .data = {1, 2}}));
        const auto a = *told.decode(made.raw).decoded;
        const auto b = *read.decode(made.raw).decoded;
        EXPECT_EQ(a->sender, b->sender);
        EXPECT_EQ(a->chain_id, b->chain_id);
        EXPECT_EQ(a->fees, b->fees);
        EXPECT_EQ(a->data, b->data);
        EXPECT_EQ(std::tuple(a->hash, a->nonce, a->to, a->value, a->gas_limit, a->raw),
                  std::tuple(b->hash, b->nonce, b->to, b->value, b->gas_limit, b->raw));
    }
}

TEST(SimSigner, FailsAsScripted) {
    Scenario s;
    const auto wanted = unsigned_of(s.alice, {});
    s.signer.fail_after(1, {SignError::Kind::unavailable, "gone"});
    EXPECT_TRUE(s.run(s.signer.sign(wanted)));
    EXPECT_EQ(s.run(s.signer.sign(wanted)).error().kind, SignError::Kind::unavailable);
    EXPECT_EQ(s.run(s.signer.sign(wanted)).error().kind, SignError::Kind::unavailable);
    s.signer.fail(SignError{SignError::Kind::refused, "no"});
    EXPECT_EQ(s.run(s.signer.sign(wanted)).error().kind, SignError::Kind::refused);
    s.signer.fail(std::nullopt);
    EXPECT_TRUE(s.run(s.signer.sign(wanted)));
    const auto unknown_key = SimSigner(31'337, 99).submitter(0);
    EXPECT_FALSE(s.signer.can_sign_for(unknown_key));
    EXPECT_EQ(s.run(s.signer.sign(unsigned_of(unknown_key, {}))).error().kind, SignError::Kind::no_key);
}

}  // namespace
}  // namespace fencepost::sim
