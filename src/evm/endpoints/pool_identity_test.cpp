// Endpoints that serve another chain.
#include "evm/endpoints/test_pool.hpp"

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
        EXPECT_THAT(*pool().status().at(0).other_chain, HasSubstr("its id is 5, not 1"));
        co_await clock_.sleep_for(10min / 2);
        EXPECT_EQ(log_.alerts().size(), 1U) << "alerted once";
        a_.chain_id = 1;
        co_await clock_.sleep_for(2min);
        EXPECT_EQ(pool().status().at(0).other_chain, std::nullopt) << "it was reconfigured";
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U);
    }
    Task<void> wrong_genesis() {
        EXPECT_EQ(pool().pin().genesis, (BlockHash{{7}})) << "as learnt from the first endpoint";
        EXPECT_THAT(*pool().status().at(2).other_chain, HasSubstr("another chain with the same id"));
        EXPECT_EQ(pool().status().at(0).other_chain, std::nullopt);
        co_return;
    }
    Task<void> alone_and_wrong() {
        const auto failure = failure_of(co_await read_one());
        EXPECT_THAT(failure.what, HasSubstr("a: serves another chain"));
        const auto report = co_await send_one();
        EXPECT_EQ(report.answers.at(0).outcome, SendOutcome::unknown);
        EXPECT_THAT(report.answers.at(0).message, HasSubstr("serves another chain"));
        EXPECT_EQ(a_.asked("eth_sendRawTransaction"), 0U);
    }
    Task<void> swapped() {
        EXPECT_TRUE((co_await read_one()).has_value());
        a_.broken = Failure{Kind::unreachable, "down", {}};
        co_await clock_.sleep_for(5s);
        a_.broken.reset();
        a_.genesis = 9;
        co_await clock_.sleep_for(1min);
        EXPECT_TRUE(pool().status().at(0).other_chain.has_value());
    }
    Task<void> head_falls(std::uint8_t genesis_then, std::size_t times_used_then) {
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U);
        EXPECT_EQ(a_.asked("eth_chainId"), 1U);
        a_.head = 3;
        a_.genesis = genesis_then;
        co_await clock_.sleep_for(options_.head_interval);
        EXPECT_EQ((co_await read_one()).has_value(), times_used_then > 0);
        EXPECT_EQ(a_.asked("eth_chainId"), 2U) << "verified again before it is used";
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U + times_used_then);
        EXPECT_EQ(pool().status().at(0).other_chain.has_value(), times_used_then == 0);
        EXPECT_EQ((co_await read_one()).has_value(), times_used_then > 0);
        EXPECT_EQ(a_.asked("eth_chainId"), 2U) << "once is enough";
    }
    Task<void> head_falls_a_little() {
        a_.head = 998;
        co_await clock_.sleep_for(1min);
        EXPECT_EQ(a_.asked("eth_chainId"), 1U);
    }
    Task<void> cannot_say() {
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 0U);
        EXPECT_EQ(pool().status().at(0).other_chain, std::nullopt)
            << "not known to serve another chain, and not used either";
    }
};

TEST_F(PoolIdentity, IgnoresEndpointWithoutChainId) {
    a_.silent = true;
    run(cannot_say());
}

TEST_F(PoolIdentity, RefusesEndpointOfOtherChainAndRechecksIt) {
    a_.chain_id = 5;
    run(wrong_id());
}
TEST_F(PoolIdentity, SameIdWithOtherGenesisIsAnotherChain) {
    c_.genesis = 8;
    run(wrong_genesis());
}
TEST_F(PoolIdentity, ConfiguredGenesisOverridesFirstSeen) {
    pin_.genesis = BlockHash{{8}};
    nodes_ = {&a_};
    run(alone_and_wrong());
}
TEST_F(PoolIdentity, NeverUsesEndpointOfOtherChain) {
    a_.chain_id = 5;
    nodes_ = {&a_};
    run(alone_and_wrong());
}
TEST_F(PoolIdentity, RecheckedWhenEndpointReturns) {
    nodes_ = {&a_, &b_};
    run(swapped());
}
TEST_F(PoolIdentity, RecheckedAfterLargeHeadDrop) {
    nodes_ = {&a_};
    a_.head = 1000;
    run(head_falls(9, 0));
}
TEST_F(PoolIdentity, KeepsEndpointAfterHeadDropOnSameChain) {
    nodes_ = {&a_};
    a_.head = 1000;
    run(head_falls(7, 1));
}
TEST_F(PoolIdentity, NotRecheckedAfterReorg) {
    nodes_ = {&a_};
    a_.head = 1000;
    run(head_falls_a_little());
}

}  // namespace
}  // namespace fencepost::evm
