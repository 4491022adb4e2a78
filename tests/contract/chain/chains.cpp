// The chains that the contract runs against.
#include "base/hex.hpp"
#include "chain_fixture.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "ports/log.hpp"
#include "ports/telemetry.hpp"
#include "support/dev_chain.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using test::DevNode;
using test::DevNodeKind;

class NoTelemetry final : public Telemetry {
    void count(Counter /*counter*/, std::string_view /*label*/, std::uint64_t /*by*/) override {}
};

class DevChainUnderTest final : public ChainUnderTest {
public:
    DevChainUnderTest(const Executor& executor, Clock& clock, DevNodeKind kind)
        : node_(DevNode::shared(kind)),
          dev_(executor, clock, node_),
          chain_(executor, clock, log_, telemetry_, ChainRef::evm(DevNode::chain_id),
                 connections(executor, clock, node_),
                 {.pool = {.time_limit = 5s}, .follower = {.poll_interval = 50ms}}) {}

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
    SendOutcome to_a_gap() const override {
        return node_.kind() == DevNodeKind::anvil ? SendOutcome::accepted : SendOutcome::nonce_too_high;
    }
    bool is_final_at_once() const override { return node_.kind() == DevNodeKind::hardhat; }
    bool shows_mempool() const override { return false; }  // neither has txpool_contentFrom

private:
    static evm::Connections connections(const Executor& executor, Clock& clock, const DevNode& node) {
        evm::Connections result;
        result.endpoints.push_back(
            {"node",
             std::make_unique<jsonrpc::HttpJsonRpc>(
                 executor, clock, jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(node.url()).value()})});
        return result;
    }

    DevNode& node_;
    NoLog log_;
    NoTelemetry telemetry_;
    test::DevChain dev_;
    evm::EvmChain chain_;
};

template <DevNodeKind kind>
std::unique_ptr<ChainUnderTest> make(const Executor& executor, Clock& clock) {
    return std::make_unique<DevChainUnderTest>(executor, clock, kind);
}

}  // namespace

std::vector<NamedChain> all_chains() {
    return {{"anvil", make<DevNodeKind::anvil>}, {"hardhat", make<DevNodeKind::hardhat>}};
}

}  // namespace fencepost::contract
