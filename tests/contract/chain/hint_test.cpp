// New heads over a WebSocket: a hint makes the follower poll at once. The polling interval is far too long here for
// anything but a hint to be the cause.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using test::DevNode;
using test::DevNodeKind;

class HeadHints : public testing::Test {
protected:
    evm::Connections connections() {
        const auto url = jsonrpc::Url::parse(node_.url()).value();
        auto socket = url;
        socket.scheme = jsonrpc::Scheme::ws;
        auto unreachable = socket;
        unreachable.port = 1;
        evm::Connections result;
        result.endpoints.push_back(
            {"node", std::make_unique<jsonrpc::HttpJsonRpc>(context_.get_executor(), clock_,
                                                            jsonrpc::HttpJsonRpcOptions{.url = url})});
        result.hints.push_back({.url = socket});
        result.hints.push_back({.url = unreachable});
        return result;
    }

    Task<void> heads_come() {
        co_await dev_.start();
        evm::EvmChain chain(context_.get_executor(), clock_, log_, telemetry_, ChainRef::evm(DevNode::chain_id),
                            connections(), {.follower = {.poll_interval = 1h}, .resubscribe_pause = 100ms});
        TaskGroup group(context_.get_executor());
        group.spawn(chain.run());
        const auto heads = chain.heads();
        const auto before = (co_await heads->next()).change.added.back().number;
        // The subscription may not be active yet: mine until a hint arrives.
        auto mining = keep_mining();
        group.spawn(std::move(mining));
        auto event = co_await heads->next();
        while (event.change.added.empty())
            event = co_await heads->next();
        EXPECT_GT(event.change.added.back().number, before);
        group.cancel();
        co_await group.join();
        ended_ = true;
    }
    Task<void> keep_mining() {
        for (;;) {
            co_await dev_.mine(1);
            co_await clock_.sleep_for(200ms);
        }
    }

    DevNode& node_ = DevNode::shared(DevNodeKind::anvil);
    SystemClock clock_;
    asio::io_context context_{1};
    NoLog log_;
    NoTelemetry telemetry_;
    test::DevChain dev_{context_.get_executor(), clock_, node_};
    bool ended_ = false;
};

TEST_F(HeadHints, HintPollsAtOnceAndEndpointWithoutHintsIsHarmless) {
    std::exception_ptr error;
    asio::co_spawn(context_, heads_come(), [&error](const std::exception_ptr& e) { error = e; });
    context_.run_for(120s);
    if (error) std::rethrow_exception(error);
    EXPECT_TRUE(ended_) << "no hint came";
    if (!ended_) Teardown::begin(context_);
}

}  // namespace
}  // namespace fencepost::contract
