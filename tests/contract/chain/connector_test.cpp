// The connector against a real node that holds keys: anvil signs and sends for its development accounts.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "codec/signature.hpp"
#include "evm/json_values.hpp"
#include "evm/node_connector.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "signers/remote_signer.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using test::DevNode;

// The first account of every development node.
const auto dev_address = Address::parse("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266").value();
const auto dev_account = SubmitterId::evm(DevNode::chain_id, dev_address);

class NodeConnectorContract : public ::testing::Test {
protected:
    void run(Task<void> body) {
        asio::co_spawn(context_, std::move(body), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        context_.run_for(120s);
    }

    Task<UnsignedTransaction> next_transfer() {
        const auto count = co_await dev_.call("eth_getTransactionCount", {dev_address.to_lower(), "latest"});
        co_return UnsignedTransaction{.from = dev_account,
                                      .nonce = Nonce(evm::read_uint64(count, "count").value()),
                                      .to = "0x00000000000000000000000000000000000000ee",
                                      .value = Wei(5),
                                      .data = {},
                                      .gas_limit = Gas(21'000),
                                      .fees = DynamicFee{Wei(100'000'000'000), Wei(1'000'000'000)}};
    }

    Task<void> sends_and_recognises() {
        co_await dev_.start();
        EXPECT_TRUE((co_await signer_.refresh()).has_value());
        co_await dev_.set_automine(false);
        const auto wanted = co_await next_transfer();
        const auto derived = co_await connector_.hash_of(wanted);
        const auto answer = co_await connector_.send(wanted);
        EXPECT_EQ(answer.outcome, SendOutcome::accepted) << answer.message;
        EXPECT_EQ(derived.value(), answer.hash) << "the derived hash is the real one";
        EXPECT_EQ(co_await connector_.is_same(*answer.hash, wanted), true) << "while pending";
        const auto again = co_await connector_.send(wanted);
        EXPECT_EQ(again.outcome, SendOutcome::already_known) << again.message;
        EXPECT_FALSE(again.hash);
        co_await dev_.mine(1);
        EXPECT_EQ(co_await connector_.is_same(*answer.hash, wanted), true) << "and once mined";
        auto other = wanted;
        other.value = Wei(6);
        EXPECT_EQ(co_await connector_.is_same(*answer.hash, other), false);
        EXPECT_FALSE((co_await connector_.is_same(TxHash{}, wanted)).has_value()) << "no such transaction";
        const auto late = co_await connector_.send(other);
        EXPECT_EQ(late.outcome, SendOutcome::nonce_too_low) << late.message;
        co_await dev_.set_automine(true);
        ended_ = true;
    }

    SystemClock clock_;
    asio::io_context context_{1};
    DevNode& node_ = DevNode::shared(test::DevNodeKind::anvil);
    test::DevChain dev_{context_.get_executor(), clock_, node_};
    jsonrpc::HttpJsonRpc rpc_{context_.get_executor(), clock_, {.url = jsonrpc::Url::parse(node_.url()).value()}};
    signers::RemoteSigner signer_{rpc_};
    evm::NodeConnector connector_{rpc_, &signer_, {.submitters = {dev_account}}};
    bool ended_ = false;
};

TEST_F(NodeConnectorContract, RealNodeSendsAndItsHashesAreDerivable) {
    run(sends_and_recognises());
    EXPECT_TRUE(ended_);
}

}  // namespace
}  // namespace fencepost::contract
