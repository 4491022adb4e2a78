// Reads that need more evidence than the first answer.
#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolEvidence : public Pool {
protected:
    void answer_with(Node& node, std::string_view text) {
        node.methods["eth_gasPrice"] = [text = std::string(text)](const auto&) -> Answer { return Json(text); };
    }
    Task<void> height() {
        answer_with(a_, "low");
        answer_with(b_, "high");
        b_.head = 105;
        const auto answer = co_await read_one({.at_least = BlockNumber(105)});
        EXPECT_EQ(*answer, "high") << "the other's height was not known to be enough yet";
        a_.head = 106;
        b_.broken = Failure{Kind::unreachable, "down", {}};
        EXPECT_EQ(*co_await read_one({.at_least = BlockNumber(105)}), "low") << "it has caught up";
        EXPECT_EQ(failure_of(co_await read_one({.at_least = BlockNumber(500)})).kind, Kind::no_evidence);
    }
    Task<void> one_view() {
        co_await read(questions(3), {.at_least = BlockNumber(50)});
        EXPECT_EQ(a_.batches.back(),
                  (std::vector<std::string>{"eth_blockNumber", "eth_gasPrice", "eth_gasPrice", "eth_gasPrice"}));
    }
    Task<void> agreement() {
        answer_with(a_, "1");
        answer_with(b_, "2");
        answer_with(c_, "2");
        EXPECT_EQ(*co_await read_one({.agreeing = 2}), "2");
        EXPECT_EQ(failure_of(co_await read_one({.agreeing = 3})).kind, Kind::no_evidence);
        answer_with(a_, "2");
        const auto before = c_.asked("eth_gasPrice");
        EXPECT_EQ(*co_await read_one({.agreeing = 2}), "2");
        EXPECT_EQ(c_.asked("eth_gasPrice"), before) << "two were enough";
        EXPECT_EQ(*co_await read_one({.agreeing = 3}), "2");
        EXPECT_EQ(failure_of(co_await read_one({.agreeing = 4})).kind, Kind::no_evidence);
    }
    Task<void> errors_do_not_agree() {
        for (auto* node : nodes_)
            node->methods["eth_gasPrice"] = [](const auto&) { return refusing(-32000, "no"); };
        EXPECT_EQ(failure_of(co_await read_one({.agreeing = 2})).kind, Kind::no_evidence);
    }
    static void has_block(Node& node, BlockHash hash) {
        node.methods["eth_getBlockByNumber"] = [hash](const auto& params) -> Answer {
            if (params.at(0) != "0x5a") return Json(nullptr);
            return Json{{"number", "0x5a"},
                        {"hash", to_hex_prefixed(hash.view())},
                        {"parentHash", to_hex_prefixed(BlockHash{}.view())},
                        {"timestamp", "0x1"},
                        {"transactions", boost::json::array{}}};
        };
    }
    Task<void> branch() {
        const BlockRef ours{.number = BlockNumber(90), .hash = BlockHash{{1}}, .parent = {}};
        answer_with(a_, "of a lost branch");
        answer_with(b_, "of ours");
        has_block(a_, BlockHash{{2}});
        has_block(b_, ours.hash);
        EXPECT_EQ(*co_await read_one({.having = ours}), "of ours");
        EXPECT_EQ(a_.batches.back(), (std::vector<std::string>{"eth_getBlockByNumber", "eth_gasPrice"})) << "one view";
        EXPECT_EQ(failure_of(co_await read_one({.agreeing = 2, .having = ours})).kind, Kind::no_evidence);
        b_.broken = Failure{Kind::unreachable, "down", {}};
        c_.methods["eth_getBlockByNumber"] = [](const auto&) -> Answer { return Json(nullptr); };
        const auto unavailable = failure_of(co_await read_one({.at_least = BlockNumber(90), .having = ours}));
        EXPECT_EQ(unavailable.kind, Kind::no_evidence) << "the endpoint that has the block does not answer";
        b_.broken.reset();
        has_block(b_, BlockHash{{3}});
        const auto others = failure_of(co_await read_one({.having = ours}));
        EXPECT_EQ(others.kind, Kind::no_evidence);
        EXPECT_THAT(others.what, HasSubstr("has block 90 0x01"));
    }
    Task<void> low_ones_do_not_count() {
        a_.head = 90;
        b_.head = c_.head = 120;
        EXPECT_TRUE((co_await read_one({.at_least = BlockNumber(110), .agreeing = 2})).has_value());
        c_.head = 100;
        EXPECT_FALSE((co_await read_one({.at_least = BlockNumber(110), .agreeing = 2})).has_value());
    }
};

TEST_F(PoolEvidence, UsesOnlyEndpointsThatReachedRequiredHeight) { run(height()); }
TEST_F(PoolEvidence, UsesOnlyEndpointsOnRequiredBranch) { run(branch()); }
TEST_F(PoolEvidence, HeightAndAnswersComeFromOneView) { run(one_view()); }
TEST_F(PoolEvidence, RequiresQuorumPerItem) { run(agreement()); }
TEST_F(PoolEvidence, ErrorsDoNotFormQuorum) { run(errors_do_not_agree()); }
TEST_F(PoolEvidence, LaggingEndpointsDoNotCountTowardsQuorum) { run(low_ones_do_not_count()); }

}  // namespace
}  // namespace fencepost::evm
