// A whole chain in this process, for development: the simulated one in real time, behind JSON-RPC over HTTP on
// loopback, kept in a file. Nothing on it is worth anything, and it runs no bytecode (docs/internals/decisions/0025).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "http/listen_address.hpp"
#include "ports/clock.hpp"

namespace fencepost::devchain {

struct DevChainOptions {
    http::ListenAddress listen{.host = "127.0.0.1", .port = 8545};
    /// The folder it is kept in, which is made; none: it is gone with the process.
    std::optional<std::filesystem::path> data{};
    /// A block each so often, also an empty one; zero: one for each transaction, as soon as it is there.
    Duration block_time = std::chrono::seconds(1);
    std::uint64_t chain_id = 31'337;
    std::function<void(std::string_view)> on_fault = [](std::string_view) {};
};

class DevChain {
public:
    /// Goes on where the folder's chain was, or begins one with the accounts of dev_accounts.hpp. Listens at once.
    /// Throws StartupError. The clock must outlive it.
    DevChain(const Executor& executor, Clock& clock, DevChainOptions options);
    ~DevChain();
    DevChain(const DevChain&) = delete;
    DevChain& operator=(const DevChain&) = delete;

    [[nodiscard]] http::ListenAddress address() const;
    [[nodiscard]] std::uint64_t chain_id() const;
    /// Of the highest block.
    [[nodiscard]] std::uint64_t height() const;

    /// Answers and makes blocks until cancelled. Ends with a StartupError when its file cannot be written any more.
    [[nodiscard]] Task<void> run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::devchain
