// One account's burst through EvmChain to a real node, and what the node's mempool shows of it.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/text/hex.hpp"
#include "codec/sign.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"

namespace fencepost::integration {
namespace {

using namespace std::chrono_literals;
using test::DevNode;
using test::DevNodeKind;

constexpr std::size_t burst = 300;
constexpr std::size_t window = 64;

class RealPool : public testing::Test {
protected:
    void run(Task<void> body) {
        std::exception_ptr failed;
        asio::co_spawn(context_, beside(std::move(body)), [&](const std::exception_ptr& error) { failed = error; });
        context_.run();
        if (failed) std::rethrow_exception(failed);
    }

    SignedTransaction transaction(std::uint64_t nonce) const {
        constexpr std::uint64_t gwei = 1'000'000'000;
        return codec::sign(UnsignedTransaction{.from = account_,
                                               .nonce = Nonce(nonce),
                                               .to = "0x00000000000000000000000000000000000000ee",
                                               .value = Wei(1),
                                               .data = {},
                                               .gas_limit = Gas(21'000),
                                               .fees = DynamicFee{Wei(50 * gwei), Wei(gwei)}},
                           key_);
    }
    Task<void> send(SendBatch batch) {
        const auto reports = co_await chain_.send(std::move(batch));
        for (const auto& report : reports)
            EXPECT_EQ(report.answers.at(0).outcome, SendOutcome::accepted) << report.answers.at(0).message;
    }
    // All at once, as a lane submits window after window: the send queue holds back the excess.
    Task<void> send_all() {
        TaskGroup group(context_.get_executor());
        for (std::size_t first = 0; first < burst; first += window) {
            SendBatch batch{.from = account_, .items = {}};
            for (auto nonce = first; nonce < std::min(first + window, burst); ++nonce)
                batch.items.push_back({Nonce(nonce), transaction(nonce).raw});
            group.spawn(send(std::move(batch)));
        }
        co_await group.join();
    }
    Task<PoolView> look() {
        std::vector<PoolQuery> questions;
        for (std::uint64_t nonce = 0; nonce < burst; ++nonce)
            questions.push_back({Nonce(nonce), {transaction(nonce).hash}});
        co_return (co_await chain_.query_pools(account_, std::move(questions))).value().at(0);
    }
    // Nonces of the latest block, in block order.
    Task<std::vector<std::uint64_t>> nonces_of_latest_block() {
        boost::json::array params{"latest", true};
        const auto block = co_await dev_.call("eth_getBlockByNumber", std::move(params));
        std::vector<std::uint64_t> nonces;
        for (const auto& each : block.at("transactions").as_array())
            nonces.push_back(
                Uint256::parse(std::string_view(each.at("nonce").as_string())).value().to_uint64().value());
        co_return nonces;
    }

    Task<void> burst_is_held_and_then_lost() {
        co_await send_all();
        const auto all = co_await look();
        EXPECT_EQ(all.mined, Nonce(0));
        EXPECT_EQ(all.pending, Nonce(burst)) << "none is out of order";
        EXPECT_EQ(std::ranges::count(all.presence, Presence::held), burst);
        co_await dev_.drop(to_hex_prefixed(transaction(burst - 1).hash.view()));
        const auto lost = co_await look();
        EXPECT_EQ(lost.presence.back(), Presence::absent);
        EXPECT_EQ(std::ranges::count(lost.presence, Presence::held), burst - 1);
        co_await dev_.mine(1);
        const auto in_order = co_await nonces_of_latest_block();
        EXPECT_EQ(in_order.size(), burst - 1);
        for (std::size_t i = 0; i < in_order.size(); ++i)
            EXPECT_EQ(in_order[i], i);
        const auto mined = co_await look();
        EXPECT_EQ(mined.mined, Nonce(burst - 1));
        EXPECT_EQ(mined.presence.back(), Presence::absent);
    }
    // Until the node has returned a pending transaction, absence proves nothing.
    Task<void> never_sent() {
        const auto view = co_await look();
        EXPECT_EQ(std::ranges::count(view.presence, Presence::unknown), burst);
    }
    Task<void> delegated() {
        EXPECT_FALSE((co_await chain_.is_delegated(account_)).value());
        boost::json::array params{std::string(account_.account()), "0xef0100" + std::string(40, '7')};
        co_await dev_.call("anvil_setCode", std::move(params));
        EXPECT_TRUE((co_await chain_.is_delegated(account_)).value());
    }

private:
    static evm::Connections connections(const Executor& executor, Clock& clock, const DevNode& node) {
        const jsonrpc::HttpJsonRpcOptions options{.url = jsonrpc::Url::parse(node.url()).value()};
        evm::Connections result;
        result.endpoints.push_back({"node", std::make_unique<jsonrpc::HttpJsonRpc>(executor, clock, options)});
        return result;
    }
    Task<void> beside(Task<void> body) {
        co_await dev_.start();
        co_await dev_.set_automine(false);
        co_await dev_.fund(std::string(account_.account()), Uint256::parse("1000000000000000000000").value());
        TaskGroup group(context_.get_executor());
        group.spawn(chain_.run());
        std::exception_ptr failed;
        try {
            co_await std::move(body);
        } catch (...) {
            failed = std::current_exception();
        }
        group.cancel();
        co_await group.join();
        if (failed) std::rethrow_exception(failed);
    }

    codec::PrivateKey key_ = codec::PrivateKey::from_hex(std::string(62, '3') + "5a").value();
    SubmitterId account_ = SubmitterId::evm(DevNode::chain_id, key_.address());
    SystemClock clock_;
    asio::io_context context_{1};
    DevNode node_{DevNodeKind::anvil};
    NoLog log_;
    NoTelemetry telemetry_;
    test::DevChain dev_{context_.get_executor(), clock_, node_};
    evm::EvmChain chain_{context_.get_executor(),
                         clock_,
                         log_,
                         telemetry_,
                         ChainRef::evm(DevNode::chain_id),
                         connections(context_.get_executor(), clock_, node_),
                         {.follower = {.poll_interval = 50ms}}};
};

TEST_F(RealPool, BurstArrivesInOrderAndMempoolViewIsCorrect) { run(burst_is_held_and_then_lost()); }
TEST_F(RealPool, NodeWithoutPriorEvidenceProvesNoAbsence) { run(never_sent()); }
TEST_F(RealPool, ReadsDelegationFromCode) { run(delegated()); }

}  // namespace
}  // namespace fencepost::integration
