// Development nodes for tests: anvil and hardhat, as script/bootstrap installs them in tests/node, and fencepost
// devchain. Each runs as a process on a free loopback port and offers the control methods of development nodes.
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

/// The process. It ends with the test program.
class DevNode {
public:
    static constexpr std::uint64_t chain_id = 31337;

    explicit DevNode(DevNodeKind kind);

    /// One per kind for the whole program: hardhat takes seconds to start.
    static DevNode& shared(DevNodeKind kind);

    [[nodiscard]] DevNodeKind kind() const { return kind_; }
    [[nodiscard]] std::string url() const;
    /// Stops the process as a debugger would: connections are accepted, but not answered.
    void stall() const;
    void resume() const;

private:
    DevNodeKind kind_;
    std::uint16_t port_;
    ChildProcess process_;
};

/// Calls a node's control methods over JSON-RPC. An error answer becomes an exception.
class DevChain {
public:
    DevChain(const Executor& executor, Clock& clock, DevNode& node);
    ~DevChain();
    DevChain(const DevChain&) = delete;
    DevChain& operator=(const DevChain&) = delete;

    /// Waits until the process answers, and enables automine.
    [[nodiscard]] Task<void> start();
    [[nodiscard]] Task<void> fund(std::string address, Uint256 wei);
    [[nodiscard]] Task<void> set_automine(bool on);
    [[nodiscard]] Task<void> mine(std::size_t blocks);
    /// Replaces the last blocks, which must come from mine(), by at least as many others without their transactions.
    [[nodiscard]] Task<void> reorg(std::size_t depth);
    /// Evicts a pending transaction.
    [[nodiscard]] Task<void> drop(std::string hash);
    [[nodiscard]] Task<boost::json::value> call(std::string method, boost::json::array params);

private:
    Clock& clock_;
    DevNode& node_;
    std::unique_ptr<jsonrpc::JsonRpc> rpc_;
    std::vector<boost::json::value> snapshots_;  // hardhat only: one before each block
};

}  // namespace fencepost::test
