// What EvmChain decides itself: how receipts are fetched, and what it makes of several endpoints' words.
#include "evm/evm_chain.hpp"

#include "evm/test_nodes.hpp"
#include "evm/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

const SubmitterId asked_submitter = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000aa").value();
const BlockRef block_100{BlockNumber(100), BlockHash{{5}}, BlockHash{{4}}};

TxHash hash_number(std::uint8_t i) { return TxHash{{i}}; }

Json receipt_json(std::string_view hash) {
    return {{"transactionHash", hash}, {"blockNumber", "0x64"}, {"blockHash", to_hex_prefixed(block_100.hash.view())},
            {"status", "0x1"},         {"gasUsed", "0x5208"},   {"effectiveGasPrice", "0x1"}};
}

class EvmChainTest : public testing::Test {
protected:
    EvmChainTest() {
        for (auto* node : {&a_, &b_}) {
            node->methods["eth_getTransactionReceipt"] = [](const auto& params) -> Answer {
                return receipt_json(params.at(0).as_string());
            };
            node->methods["eth_getBlockTransactionCountByHash"] = [this](const auto&) -> Answer {
                return write_quantity(in_block_);
            };
            node->methods["eth_getBlockReceipts"] = [this](const auto&) -> Answer {
                boost::json::array all;
                for (std::uint64_t i = 0; i < in_block_; ++i)
                    all.push_back(receipt_json(to_hex_prefixed(hash_number(static_cast<std::uint8_t>(i)).view())));
                return all;
            };
        }
        Connections connections;
        connections.endpoints.push_back({"a", std::make_unique<NodeRpc>(a_, clock_)});
        connections.endpoints.push_back({"b", std::make_unique<NodeRpc>(b_, clock_)});
        chain_.emplace(sim_.executor(), clock_, log_, telemetry_, ChainRef::evm(1), std::move(connections));
    }

    void run(Task<void> body) {
        bool ended = false;
        world_.spawn(sim_, to_end(std::move(body), &ended));
        world_.run_for(10min);
        EXPECT_TRUE(ended);
    }
    static Task<void> to_end(Task<void> body, bool* ended) {
        co_await std::move(body);
        *ended = true;
    }

    Task<void> fetch(std::size_t n) {
        std::vector<TxHash> hashes;
        for (std::size_t i = 0; i < n; ++i)
            hashes.push_back(hash_number(static_cast<std::uint8_t>(n - 1 - i)));
        const auto receipts = co_await chain_->receipts_in(block_100, hashes);
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_EQ(receipts.at(i).value().value().hash, hashes[i]);
    }
    Task<void> counts() {
        a_.methods["eth_getTransactionCount"] = [](const auto&) -> Answer { return Json("0x5"); };
        b_.methods["eth_getTransactionCount"] = [](const auto&) -> Answer { return Json("0x7"); };
        EXPECT_EQ((co_await chain_->transaction_count(asked_submitter, At::latest)).value(), Nonce(7));
        const auto all = (co_await chain_->counts(asked_submitter)).value();
        EXPECT_EQ(std::tuple(all.latest, all.pending, all.answered, all.endpoints),
                  std::tuple(Nonce(7), Nonce(7), 2U, 2U));
        b_.broken = Failure{Failure::Kind::unreachable, "down", {}};
        EXPECT_EQ((co_await chain_->transaction_count(asked_submitter, At::latest)).value(), Nonce(5));
        const auto some = (co_await chain_->counts(asked_submitter)).value();
        EXPECT_EQ(std::tuple(some.latest, some.answered, some.endpoints), std::tuple(Nonce(5), 1U, 2U));
    }
    Task<void> other_receipt() {
        a_.methods["eth_getTransactionReceipt"] = [](const auto&) -> Answer {
            return receipt_json(to_hex_prefixed(hash_number(99).view()));
        };
        std::vector<TxHash> hashes{hash_number(1)};
        const auto receipts = co_await chain_->receipts(std::move(hashes), {});
        EXPECT_FALSE(receipts.at(0).has_value());
    }

    std::uint64_t in_block_ = 40;
    Node a_, b_;
    sim::World world_{1};
    sim::SimNode& sim_ = world_.start_node("node");
    sim::SimClock clock_{sim_};
    KeptLog log_;
    KeptCounts telemetry_;
    std::optional<EvmChain> chain_;
};

TEST_F(EvmChainTest, FewReceiptsAreFetchedOneByOneInOneBatch) {
    run(fetch(5));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 0U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 5U);
}

TEST_F(EvmChainTest, MostReceiptsOfABlockAreFetchedAtOnce) {
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 1U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 0U);
}

TEST_F(EvmChainTest, ManyReceiptsOfABigBlockAreFetchedOneByOne) {
    in_block_ = 200;
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 0U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 30U);
}

TEST_F(EvmChainTest, WhereNobodyOffersBlockReceiptsThatIsNoticedAndRemembered) {
    a_.methods.erase("eth_getBlockReceipts");
    b_.methods.erase("eth_getBlockReceipts");
    run(fetch(30));
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 1U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 60U);
}

TEST_F(EvmChainTest, TheCountIsTheHighestOverTheEndpoints) { run(counts()); }
TEST_F(EvmChainTest, AReceiptOfAnotherTransactionIsNoAnswer) { run(other_receipt()); }

}  // namespace
}  // namespace fencepost::evm
