#include "support/dev_chain.hpp"

#include <csignal>
#include <map>
#include <stdexcept>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

#include "jsonrpc/http_json_rpc.hpp"

namespace fencepost::test {
namespace {

using namespace std::chrono_literals;

std::uint16_t free_port() {
    asio::io_context context;
    const asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    return acceptor.local_endpoint().port();
}

const std::string node_folder = FENCEPOST_SOURCE_DIR "/tests/node";

std::vector<std::string> command_of(DevNodeKind kind, std::uint16_t port) {
    const auto bin = node_folder + "/node_modules/.bin/";
    const auto at = fmt::format("{}", port);
    switch (kind) {
        case DevNodeKind::anvil:
            return {bin + "anvil", "--host", "127.0.0.1", "--port", at, "--silent"};
        case DevNodeKind::hardhat:
            return {bin + "hardhat", "--config", "hardhat.config.cjs", "node", "--hostname", "127.0.0.1", "--port", at};
        case DevNodeKind::fencepost:
            return {FENCEPOST_PROGRAM, "devchain", "--listen", "127.0.0.1:" + at, "--block-time", "0s"};
    }
    FP_UNREACHABLE();
}

}  // namespace

DevNode::DevNode(DevNodeKind kind)
    : kind_(kind),
      port_(free_port()),
      process_(command_of(kind, port_), {.folder = node_folder, .log = "/dev/null"}) {}

DevNode& DevNode::shared(DevNodeKind kind) {
    static std::map<DevNodeKind, std::unique_ptr<DevNode>> nodes;
    auto& node = nodes[kind];
    if (!node) node = std::make_unique<DevNode>(kind);
    return *node;
}

std::string DevNode::url() const { return fmt::format("http://127.0.0.1:{}", port_); }
void DevNode::stall() const { process_.stall(); }
void DevNode::resume() const { process_.signal(SIGCONT); }

DevChain::DevChain(const Executor& executor, Clock& clock, DevNode& node)
    : clock_(clock),
      node_(node),
      rpc_(std::make_unique<jsonrpc::HttpJsonRpc>(
          executor, clock, jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(node.url()).value()})) {}

DevChain::~DevChain() = default;

Task<void> DevChain::start() {
    const auto deadline = clock_.monotonic() + 60s;
    for (;;) {
        std::vector<jsonrpc::Request> question{{"eth_chainId", {}}};
        const auto answers = co_await rpc_->call(std::move(question), 1s);
        if (answers.front()) break;
        if (clock_.monotonic() > deadline) throw std::runtime_error("the node does not start");
        co_await clock_.sleep_for(50ms);
    }
    co_await set_automine(true);
}

Task<boost::json::value> DevChain::call(std::string method, boost::json::array params) {
    std::vector<jsonrpc::Request> batch{{method, std::move(params)}};
    const auto answers = co_await rpc_->call(std::move(batch), 30s);
    if (answers.front()) co_return *answers.front();
    const auto& error = answers.front().error();
    const auto* own = std::get_if<jsonrpc::ErrorAnswer>(&error);
    throw std::runtime_error(method + ": " + (own != nullptr ? own->message : std::get<jsonrpc::Failure>(error).what));
}

Task<void> DevChain::fund(std::string address, Uint256 wei) {
    boost::json::array params{address, wei.to_quantity()};
    co_await call("hardhat_setBalance", std::move(params));
}

Task<void> DevChain::set_automine(bool on) {
    boost::json::array params{on};
    co_await call("evm_setAutomine", std::move(params));
}

Task<void> DevChain::mine(std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i) {
        if (node_.kind() == DevNodeKind::hardhat) snapshots_.push_back(co_await call("evm_snapshot", {}));
        co_await call("evm_mine", {});
    }
}

Task<void> DevChain::reorg(std::size_t depth) {
    if (node_.kind() != DevNodeKind::hardhat) {
        boost::json::array params{depth, boost::json::array{}};
        co_await call("anvil_reorg", std::move(params));
        co_return;
    }
    // hardhat reverts to the snapshot before those blocks and mines other ones, an hour later.
    const auto to = snapshots_.size() - depth;
    boost::json::array back{snapshots_.at(to)};
    co_await call("evm_revert", std::move(back));
    snapshots_.resize(to);
    boost::json::array later{3600};
    co_await call("evm_increaseTime", std::move(later));
    co_await mine(depth + 1);
}

Task<void> DevChain::drop(std::string hash) {
    boost::json::array params{hash};
    const auto* method = node_.kind() != DevNodeKind::hardhat ? "anvil_dropTransaction" : "hardhat_dropTransaction";
    co_await call(method, std::move(params));
}

}  // namespace fencepost::test
