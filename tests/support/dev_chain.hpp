// Real nodes for tests: anvil and hardhat, as script/bootstrap installs them in tests/node, and our own development
// chain, each a process on a free loopback port, with the buttons that only development nodes have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/async/task.hpp"
#include "base/uint256.hpp"
#include "ports/clock.hpp"
#include "support/child_process.hpp"

namespace fencepost::jsonrpc {
class JsonRpc;
}

namespace fencepost::test {

enum class DevNodeKind { anvil, hardhat, fencepost };

/// The process. It dies with the test program.
class DevNode {
public:
    static constexpr std::uint64_t chain_id = 31337;

    explicit DevNode(DevNodeKind kind);

    /// One per kind for the whole program: hardhat takes seconds to start.
    static DevNode& shared(DevNodeKind kind);

    [[nodiscard]] DevNodeKind kind() const { return kind_; }
    [[nodiscard]] std::string url() const;
    /// Stands still, as a process under a debugger does: connections are taken, nothing is answered.
    void stall() const;
    void resume() const;

private:
    DevNodeKind kind_;
    std::uint16_t port_;
    ChildProcess process_;
};

/// The buttons, pressed over JSON-RPC. An error that the node gives is an exception.
class DevChain {
public:
    DevChain(const Executor& executor, Clock& clock, DevNode& node);
    ~DevChain();
    DevChain(const DevChain&) = delete;
    DevChain& operator=(const DevChain&) = delete;

    /// Waits until the process answers, and mines at once what is sent from then on.
    [[nodiscard]] Task<void> start();
    [[nodiscard]] Task<void> fund(std::string address, Uint256 wei);
    [[nodiscard]] Task<void> set_automine(bool on);
    [[nodiscard]] Task<void> mine(std::size_t blocks);
    /// Replaces the last blocks, which mine() made, by as many or more others, without the transactions in them.
    [[nodiscard]] Task<void> reorg(std::size_t depth);
    /// Evicts a waiting transaction.
    [[nodiscard]] Task<void> drop(std::string hash);
    [[nodiscard]] Task<boost::json::value> call(std::string method, boost::json::array params);

private:
    Clock& clock_;
    DevNode& node_;
    std::unique_ptr<jsonrpc::JsonRpc> rpc_;
    std::vector<boost::json::value> snapshots_;  // hardhat's, one before each block
};

}  // namespace fencepost::test
