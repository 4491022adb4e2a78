// Quotes from fee histories, and caching per block.
#include "evm/fees/fee_oracle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/async/task_group.hpp"
#include "domain/chain/test_blocks.hpp"
#include "evm/test_json.hpp"
#include "evm/test_rpc.hpp"
#include "evm/test_run.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::evm {
namespace {

using namespace std::chrono_literals;
using test::parse_json;
using test::TestRpc;

FeeHistory history(std::uint64_t base_fee, std::vector<std::array<Uint256, 3>> rewards) {
    return {base_fee, std::move(rewards)};
}
DynamicFee dynamic(std::uint64_t most, std::uint64_t tip) { return {Wei(most), Wei(tip)}; }
const FeeOptions plain{.min_tip = Wei(1)};

TEST(FeeQuote, IsTwiceBaseFeePlusMedianTip) {
    const auto quote = quote_of(history(100, {{1, 5, 9}, {3, 7, 30}, {2, 6, 10}}), plain).value();
    EXPECT_EQ(quote.at(Speed::slow), Fees(dynamic(202, 2)));
    EXPECT_EQ(quote.at(Speed::normal), Fees(dynamic(206, 6)));
    EXPECT_EQ(quote.at(Speed::fast), Fees(dynamic(210, 10)));
}

TEST(FeeQuote, UsesMinimumTipWithoutTips) {
    const FeeOptions options{.min_tip = Wei(7)};
    for (const auto& rewards : {std::vector<std::array<Uint256, 3>>{}, {{0, 0, 0}, {0, 0, 0}}}) {
        const auto quote = quote_of(history(0, rewards), options).value();
        EXPECT_EQ(quote.at(Speed::normal), Fees(dynamic(7, 7)));
    }
}

TEST(FeeQuote, EmptyBlocksDoNotLowerTip) {
    const auto quote = quote_of(history(10, {{0, 0, 0}, {0, 0, 0}, {4, 4, 4}}), plain).value();
    EXPECT_EQ(max_priority_fee(quote.at(Speed::slow)), Wei(4));
}

TEST(FeeQuote, FasterSpeedIsNeverCheaper) {
    const auto quote = quote_of(history(10, {{9, 5, 1}}), plain).value();
    EXPECT_EQ(max_priority_fee(quote.at(Speed::fast)), Wei(9));
}

TEST(FeeQuote, CapLimitsBothFields) {
    FeeOptions options = plain;
    options.cap = Wei(50);
    EXPECT_EQ(quote_of(history(100, {{60, 60, 60}}), options)->at(Speed::normal), Fees(dynamic(50, 50)));
    EXPECT_EQ(quote_of(history(100, {{6, 6, 6}}), options)->at(Speed::normal), Fees(dynamic(50, 6)));
    EXPECT_EQ(quote_of(Uint256(100), options)->at(Speed::slow), Fees(LegacyFee{Wei(50)}));
    options.fixed = LegacyFee{Wei(70)};
    EXPECT_EQ(fixed_quote(options).at(Speed::slow), Fees(LegacyFee{Wei(50)}));
}

TEST(FeeQuote, OverflowingFeesWithoutCapAreNoQuote) {
    EXPECT_FALSE(quote_of({Uint256::max(), {}}, plain));
    EXPECT_FALSE(quote_of(Uint256::max(), plain));
    FeeOptions options = plain;
    options.cap = Wei(50);
    EXPECT_EQ(quote_of({Uint256::max(), {}}, options)->at(Speed::normal), Fees(dynamic(50, 1)));
}

TEST(FeeQuote, LegacyPriceRisesWithSpeed) {
    const auto quote = quote_of(Uint256(1000), plain).value();
    EXPECT_EQ(quote.at(Speed::slow), Fees(LegacyFee{Wei(1000)}));
    EXPECT_EQ(quote.at(Speed::fast), Fees(LegacyFee{Wei(1250)}));
}

RC_GTEST_PROP(FeeQuote, TipNeverExceedsMaximum, (std::uint64_t base, std::vector<std::uint64_t> tips, bool capped)) {
    FeeOptions options = plain;
    if (capped) options.cap = Wei(*rc::gen::arbitrary<std::uint64_t>());
    FeeHistory told{base, {}};
    for (const auto tip : tips)
        told.rewards.push_back({tip / 3, tip / 2, tip});
    const auto quote = quote_of(told, options).value();
    for (const auto& fees : quote.by_speed) {
        RC_ASSERT(max_priority_fee(fees) <= max_fee(fees));
        if (options.cap) RC_ASSERT(max_fee(fees) <= *options.cap);
    }
}

TEST(FeeHistory, RejectsHostileAndAcceptsUnusualHistories) {
    for (const auto* text :
         {"null", "[]", "{}", "{'baseFeePerGas':[]}", "{'baseFeePerGas':[null]}", "{'baseFeePerGas':7}",
          "{'baseFeePerGas':['0x1'],'reward':[['0x1']]}", "{'baseFeePerGas':['0x1'],'reward':[[1,2,3]]}"})
        EXPECT_FALSE(read_fee_history(parse_json(text))) << text;
    for (const auto* text : {"{'baseFeePerGas':['0x1']}", "{'baseFeePerGas':['0x1'],'reward':null}",
                             "{'baseFeePerGas':['0x1'],'reward':[]}", "{'baseFeePerGas':['0x1'],'reward':[[],null]}"}) {
        const auto told = read_fee_history(parse_json(text));
        ASSERT_TRUE(told) << text;
        EXPECT_TRUE(told->rewards.empty());
    }
    EXPECT_EQ(read_fee_history(parse_json("{'baseFeePerGas':['0x9','0x5']}"))->base_fee, Uint256(5))
        << "of the next block";
}

// A node with EIP-1559, or without: no base fee in blocks, or no eth_feeHistory.
struct Market {
    bool has_history = true;
    bool has_base_fee = true;

    Answer operator()(const Request& request) const {
        if (request.method == "eth_gasPrice") return Json("0x64");
        if (request.method == "eth_feeHistory" && has_history) {
            return parse_json("{'baseFeePerGas':['0x1','0xa'],'reward':[['0x1','0x2','0x3']]}");
        }
        if (request.method != "eth_getBlockByNumber") return err(test::no_method());
        const std::string hash = "'0x" + std::string(64, 'a') + "'";
        return parse_json("{'number':'0x1','hash':" + hash + ",'parentHash':" + hash +
                          ",'timestamp':'0x1','transactions':[]" + (has_base_fee ? ",'baseFeePerGas':'0x1'}" : "}"));
    }
};

TEST(FeeOracle, AsksOncePerBlock) {
    TestRpc rpc(Market{});
    FeeOracle oracle(rpc, plain);
    oracle.on_head(fencepost::test::block(1, 'a', 'a'));
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(test::run(oracle.fees(Speed::normal)).value(), Fees(dynamic(22, 2)));
    EXPECT_EQ(rpc.asked.size(), 1U);
    oracle.on_head(fencepost::test::block(1, 'a', 'a'));
    EXPECT_TRUE(test::run(oracle.fees(Speed::fast)));
    EXPECT_EQ(rpc.asked.size(), 1U) << "the same head changes nothing";
    oracle.on_head(fencepost::test::block(1, 'b', 'a'));
    EXPECT_TRUE(test::run(oracle.fees(Speed::fast)));
    EXPECT_EQ(rpc.asked.size(), 2U);
}

TEST(FeeOracle, CachesNothingBeforeFirstHead) {
    TestRpc rpc(Market{});
    FeeOracle oracle(rpc, plain);
    EXPECT_TRUE(test::run(oracle.fees(Speed::normal)));
    EXPECT_TRUE(test::run(oracle.fees(Speed::normal)));
    EXPECT_EQ(rpc.asked.size(), 2U);
}

TEST(FeeOracle, UsesLegacyPricesWithoutEip1559) {
    for (const auto& market : {Market{.has_history = false}, Market{.has_base_fee = false}}) {
        TestRpc rpc(market);
        FeeOracle oracle(rpc, plain);
        EXPECT_EQ(test::run(oracle.fees(Speed::slow)).value(), Fees(LegacyFee{Wei(100)}));
    }
    TestRpc rpc(Market{});
    FeeOracle legacy(rpc, {.kind = FeeOptions::Kind::legacy});
    EXPECT_EQ(test::run(legacy.fees(Speed::slow)).value(), Fees(LegacyFee{Wei(1'000'000)})) << "not below the minimum";
    FeeOracle fixed(rpc, {.kind = FeeOptions::Kind::fixed, .fixed = dynamic(9, 3)});
    EXPECT_EQ(test::run(fixed.fees(Speed::fast)).value(), Fees(dynamic(9, 3)));
}

TEST(FeeOracle, DoesNotCacheErrors) {
    TestRpc rpc(Market{});
    FeeOracle oracle(rpc, plain);
    oracle.on_head(fencepost::test::block(1, 'a', 'a'));
    rpc.failing = true;
    EXPECT_EQ(test::run(oracle.fees(Speed::normal)).error().kind, RpcError::Kind::unreachable);
    rpc.failing = false;
    EXPECT_TRUE(test::run(oracle.fees(Speed::normal)));
}

Task<void> ask(FeeOracle* oracle, Speed speed, int* answered) {
    const auto fees = co_await oracle->fees(speed);
    *answered += fees ? 1 : 0;
}

struct SlowMarket {
    SlowMarket() : rpc(Market{}), oracle(rpc, plain) {
        rpc.clock = &clock;
        rpc.latency = 1s;
        oracle.on_head(fencepost::test::block(1, 'a', 'a'));
    }
    ~SlowMarket() { world.kill(node); }
    SlowMarket(const SlowMarket&) = delete;
    SlowMarket& operator=(const SlowMarket&) = delete;

    sim::World world{1};
    sim::SimNode& node = world.start_node("node");
    sim::SimClock clock{node};
    TestRpc rpc;
    FeeOracle oracle;
    int answered = 0;
};

TEST(FeeOracle, ConcurrentCallersShareOneRequest) {
    SlowMarket m;
    for (int i = 0; i < 10; ++i)
        m.world.spawn(m.node, ask(&m.oracle, Speed::normal, &m.answered));
    m.world.run_for(1500ms);
    EXPECT_EQ(m.answered, 10);
    EXPECT_EQ(m.rpc.asked.size(), 1U);
}

Task<void> ask_and_give_up(SlowMarket* m) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(ask(&m->oracle, Speed::normal, &m->answered));
    co_await m->clock.sleep_for(500ms);
    group.cancel();
    co_await group.join();
}

TEST(FeeOracle, AnotherCallerRetriesWhenLeaderIsCancelled) {
    SlowMarket m;
    m.world.spawn(m.node, ask_and_give_up(&m));
    m.world.run_for(10ms);
    m.world.spawn(m.node, ask(&m.oracle, Speed::normal, &m.answered));
    m.world.spawn(m.node, ask(&m.oracle, Speed::fast, &m.answered));
    m.world.run_for(10s);
    EXPECT_EQ(m.answered, 2);
    EXPECT_EQ(m.rpc.asked.size(), 2U);
}

TEST(FeeOracle, DoesNotCacheAnswerOfOldHead) {
    SlowMarket m;
    m.world.spawn(m.node, ask(&m.oracle, Speed::normal, &m.answered));
    m.world.run_for(500ms);
    m.oracle.on_head(fencepost::test::block(2, 'a', 'a'));
    m.world.run_for(1s);
    EXPECT_EQ(m.answered, 1);
    m.world.spawn(m.node, ask(&m.oracle, Speed::normal, &m.answered));
    m.world.run_for(2s);
    EXPECT_EQ(m.rpc.asked.size(), 2U);
}

}  // namespace
}  // namespace fencepost::evm
