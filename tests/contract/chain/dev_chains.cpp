// Real nodes over HTTP, in real time.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/async/task_group.hpp"
#include "base/text/hex.hpp"
#include "chain_fixture.hpp"
#include "devchain/dev_contracts.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "ports/log.hpp"
#include "ports/telemetry.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using test::DevNode;
using test::DevNodeKind;

class DevChainUnderTest final : public ChainUnderTest {
public:
    explicit DevChainUnderTest(DevNodeKind kind)
        : node_(DevNode::shared(kind)),
          dev_(context_.get_executor(), clock_, node_),
          chain_(context_.get_executor(), clock_, log_, telemetry_, ChainRef::evm(DevNode::chain_id),
                 connections(context_.get_executor(), clock_, node_),
                 {.pool = {.time_limit = 5s}, .follower = {.poll_interval = 50ms}}) {}

    Executor executor() override { return context_.get_executor(); }
    Clock& clock() override { return clock_; }
    void drive(Task<void> task) override {
        std::exception_ptr error;
        bool ended = false;
        asio::co_spawn(context_, std::move(task), [&](const std::exception_ptr& e) {
            error = e;
            ended = true;
        });
        context_.run_for(120s);
        if (error) std::rethrow_exception(error);
        if (!ended) Teardown::begin(context_);
    }

    Chain& chain() override { return chain_; }
    Task<void> start() override { return dev_.start(); }
    Task<void> run() override { return chain_.run(); }
    Task<void> fund(SubmitterId account, Wei wei) override {
        return dev_.fund(std::string(account.account()), wei.value());
    }
    Task<void> set_automine(bool on) override { return dev_.set_automine(on); }
    Task<void> mine(std::size_t blocks) override { return dev_.mine(blocks); }
    Task<void> reorg(std::size_t depth) override { return dev_.reorg(depth); }
    Task<void> drop(TxHash hash) override { return dev_.drop(to_hex_prefixed(hash.view())); }
    void stall() override { node_.stall(); }
    void resume() override { node_.resume(); }
    std::optional<std::string> contract_that_reverts() override {
        if (node_.kind() != DevNodeKind::fencepost) return std::nullopt;
        return devchain::refusing_contract().to_lower();
    }
    NodeBehaviour behaviour() const override {
        switch (node_.kind()) {  // neither anvil nor hardhat has txpool_contentFrom
            case DevNodeKind::anvil:
                return {.is_final_at_once = false};
            case DevNodeKind::hardhat:
                return {.to_a_gap = SendOutcome::nonce_too_high, .is_final_at_once = true};
            case DevNodeKind::fencepost:
                return {.to_a_low_fee = SendOutcome::price_floor, .shows_mempool = true};
        }
        FP_UNREACHABLE();
    }

private:
    static evm::Connections connections(const Executor& executor, Clock& clock, const DevNode& node) {
        evm::Connections result;
        result.endpoints.push_back(
            {"node",
             std::make_unique<jsonrpc::HttpJsonRpc>(
                 executor, clock, jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(node.url()).value()})});
        return result;
    }

    SystemClock clock_;
    asio::io_context context_{1};
    DevNode& node_;
    NoLog log_;
    NoTelemetry telemetry_;
    test::DevChain dev_;
    evm::EvmChain chain_;
};

}  // namespace

std::unique_ptr<ChainUnderTest> make_anvil() { return std::make_unique<DevChainUnderTest>(DevNodeKind::anvil); }
std::unique_ptr<ChainUnderTest> make_hardhat() { return std::make_unique<DevChainUnderTest>(DevNodeKind::hardhat); }
std::unique_ptr<ChainUnderTest> make_development() {
    return std::make_unique<DevChainUnderTest>(DevNodeKind::fencepost);
}

}  // namespace fencepost::contract
