// EvmChain's own decisions: how receipts are fetched, and how the answers of several endpoints are combined.
#include "evm/evm_chain.hpp"

#include "evm/endpoints/test_nodes.hpp"
#include "evm/endpoints/test_pool.hpp"

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
    // Mempool: nonces from 5 up to `pending`. Blocks: the nonces below 5.
    void holds_up_to(Node& node, std::uint64_t pending, bool returns_pending_by_hash = true) {
        node.methods["eth_getTransactionCount"] = [pending](const auto& params) -> Answer {
            return write_quantity(params.at(1) == "latest" ? 5 : pending);
        };
        node.methods["eth_getTransactionByHash"] = [pending, returns_pending_by_hash](const auto& params) -> Answer {
            const auto hash = read_tx_hash(params.at(0), "hash").value();
            if (!returns_pending_by_hash || hash.data[0] >= pending) return Json(nullptr);
            return Json{{"hash", params.at(0)},
                        {"from", Address{}.to_lower()},
                        {"nonce", write_quantity(hash.data[0])},
                        {"blockHash", nullptr},
                        {"blockNumber", nullptr}};
        };
    }
    // Looks at nonces 5 … 7.
    Task<std::vector<std::pair<std::string, std::vector<Presence>>>> look() {
        std::vector<PoolQuery> questions;
        for (std::uint8_t nonce = 5; nonce < 8; ++nonce)
            questions.push_back({Nonce(nonce), {hash_number(nonce)}});
        std::vector<std::pair<std::string, std::vector<Presence>>> seen;
        for (auto& view : (co_await chain_->query_pools(asked_submitter, std::move(questions))).value())
            seen.emplace_back(view.endpoint, view.presence);
        co_return seen;
    }
    using Seen = std::vector<std::pair<std::string, std::vector<Presence>>>;
    Task<void> pools() {
        using enum Presence;
        holds_up_to(a_, 8);
        holds_up_to(b_, 8, false);
        EXPECT_EQ(co_await look(), (Seen{{"a", {held, held, held}}, {"b", {held, held, held}}}));
        EXPECT_EQ(a_.batches.back().size(), 4U) << "one request, since the counts are enough";
        holds_up_to(a_, 6);
        holds_up_to(b_, 6, false);
        EXPECT_EQ(co_await look(), (Seen{{"a", {held, absent, absent}}, {"b", {held, unknown, unknown}}}))
            << "one endpoint never returned a pending transaction by hash";
        a_.broken = Failure{Failure::Kind::unreachable, "down", {}};
        EXPECT_EQ(co_await look(), (Seen{{"b", {held, unknown, unknown}}})) << "a silent endpoint has no view";
        b_.broken = a_.broken;
        std::vector<PoolQuery> questions{{Nonce(5), {hash_number(5)}}};
        const auto unavailable = co_await chain_->query_pools(asked_submitter, std::move(questions));
        EXPECT_FALSE(unavailable.has_value()) << "no endpoint answered";
    }
    Task<void> pools_of_a_lagging_endpoint() {
        holds_up_to(a_, 8);
        holds_up_to(b_, 8);
        TaskGroup beside(sim_.executor());
        const auto heads = chain_->heads();
        for (auto* node : {&a_, &b_}) {
            node->methods["eth_getBlockByNumber"] = [node](const auto&) -> Answer {
                auto block = node->genesis_block();
                block.as_object()["number"] = write_quantity(node->head);
                return block;
            };
        }
        beside.spawn(chain_->run());
        const auto event = co_await heads->next();
        EXPECT_EQ(event.change.added.back().number, BlockNumber(100));
        b_.head = 99;
        EXPECT_EQ((co_await look()).size(), 1U) << "its pool view is outdated";
        beside.cancel();
        co_await beside.join();
    }
    Task<void> delegated() {
        const auto code = [this](std::string_view hex) {
            a_.methods["eth_getCode"] = [hex](const auto& params) -> Answer {
                return params.at(1) == "latest" ? Json(hex) : Json("0x");
            };
        };
        code(
            "0xef0100"
            "00000000000000000000000000000000000000cc");
        EXPECT_TRUE((co_await chain_->is_delegated(asked_submitter)).value());
        for (const auto* other : {"0x", "0xef01", "0xef0000", "0x6080604052"}) {
            code(other);
            EXPECT_FALSE((co_await chain_->is_delegated(asked_submitter)).value()) << other;
        }
        a_.methods["eth_getCode"] = b_.methods["eth_getCode"] = [](const auto&) { return refusing(-32000, "no"); };
        EXPECT_FALSE((co_await chain_->is_delegated(asked_submitter)).has_value()) << "an error is no evidence";
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
    RecordedLog log_;
    RecordedCounts telemetry_;
    std::optional<EvmChain> chain_;
};

TEST_F(EvmChainTest, FetchesFewReceiptsIndividuallyInOneBatch) {
    run(fetch(5));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 0U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 5U);
}

TEST_F(EvmChainTest, FetchesMostReceiptsOfBlockAtOnce) {
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 1U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 0U);
}

TEST_F(EvmChainTest, FetchesReceiptsOfBigBlockIndividually) {
    in_block_ = 200;
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 0U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 30U);
}

TEST_F(EvmChainTest, RemembersThatBlockReceiptsAreUnsupported) {
    a_.methods.erase("eth_getBlockReceipts");
    b_.methods.erase("eth_getBlockReceipts");
    run(fetch(30));
    run(fetch(30));
    EXPECT_EQ(a_.asked("eth_getBlockReceipts"), 1U);
    EXPECT_EQ(a_.asked("eth_getTransactionReceipt"), 60U);
}

TEST_F(EvmChainTest, ReturnsTheHighestCountOfAllEndpoints) { run(counts()); }
TEST_F(EvmChainTest, EachEndpointReportsItsOwnMempool) { run(pools()); }
TEST_F(EvmChainTest, EndpointBehindReportedHeadHasNoMempoolView) { run(pools_of_a_lagging_endpoint()); }
TEST_F(EvmChainTest, RecognisesDelegatedAccount) { run(delegated()); }
TEST_F(EvmChainTest, RejectsReceiptOfOtherTransaction) { run(other_receipt()); }

}  // namespace
}  // namespace fencepost::evm
