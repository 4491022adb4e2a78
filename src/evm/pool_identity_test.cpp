// Endpoints of other chains.
#include "evm/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolIdentity : public Pool {
protected:
    Task<void> wrong_id() {
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 0U);
        EXPECT_EQ(outcome_at(co_await send_one(), "b"), SendOutcome::accepted);
        EXPECT_EQ(a_.asked("eth_sendRawTransaction"), 0U) << "never used";
        EXPECT_EQ(log_.alerts().size(), 1U);
        EXPECT_THAT(log_.alerts().at(0), HasSubstr("endpoint=a"));
        EXPECT_THAT(*pool().status().at(0).foreign, HasSubstr("its id is 5, not 1"));
        co_await clock_.sleep_for(10min / 2);
        EXPECT_EQ(log_.alerts().size(), 1U) << "told once";
        a_.chain_id = 1;
        co_await clock_.sleep_for(2min);
        EXPECT_EQ(pool().status().at(0).foreign, std::nullopt) << "it has been put right";
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U);
    }
    Task<void> wrong_genesis() {
        EXPECT_EQ(pool().pin().genesis, (BlockHash{{7}})) << "what was learnt";
        EXPECT_THAT(*pool().status().at(2).foreign, HasSubstr("another chain with the same id"));
        EXPECT_EQ(pool().status().at(0).foreign, std::nullopt);
        co_return;
    }
    Task<void> alone_and_wrong() {
        const auto failure = failure_of(co_await read_one());
        EXPECT_THAT(failure.what, HasSubstr("a: is of another chain"));
        const auto report = co_await send_one();
        EXPECT_EQ(report.answers.at(0).outcome, SendOutcome::unknown);
        EXPECT_THAT(report.answers.at(0).message, HasSubstr("is of another chain"));
        EXPECT_EQ(a_.asked("eth_sendRawTransaction"), 0U);
    }
    Task<void> swapped() {
        EXPECT_TRUE((co_await read_one()).has_value());
        a_.broken = Failure{Kind::unreachable, "down", {}};
        co_await clock_.sleep_for(5s);
        a_.broken.reset();
        a_.genesis = 9;
        co_await clock_.sleep_for(1min);
        EXPECT_TRUE(pool().status().at(0).foreign.has_value());
    }
    Task<void> cannot_say() {
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 0U);
        EXPECT_EQ(pool().status().at(0).foreign, std::nullopt) << "not known to be foreign, and not used either";
    }
};

TEST_F(PoolIdentity, AnEndpointThatDoesNotSayWhichChainItIsOfIsNotUsed) {
    a_.silent = true;
    run(cannot_say());
}

TEST_F(PoolIdentity, AnEndpointOfAnotherChainIsRefusedByNameAndLookedAtAgain) {
    a_.chain_id = 5;
    run(wrong_id());
}
TEST_F(PoolIdentity, TheSameIdWithAnotherGenesisIsAnotherChain) {
    c_.genesis = 8;
    run(wrong_genesis());
}
TEST_F(PoolIdentity, TheConfiguredGenesisDecidesNotTheFirstSeen) {
    pin_.genesis = BlockHash{{8}};
    nodes_ = {&a_};
    run(alone_and_wrong());
}
TEST_F(PoolIdentity, AnEndpointOfAnotherChainIsNotUsedEvenWhenItIsTheOnlyOne) {
    a_.chain_id = 5;
    nodes_ = {&a_};
    run(alone_and_wrong());
}
TEST_F(PoolIdentity, IsAskedAgainWhenAnEndpointComesBack) {
    nodes_ = {&a_, &b_};
    run(swapped());
}

}  // namespace
}  // namespace fencepost::evm
