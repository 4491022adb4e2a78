// A complete chain in this process, for development: the simulated chain in real time, behind JSON-RPC over HTTP on
// loopback, stored in a file. Its coins have no value, and it runs no bytecode (docs/internals/decisions/0025).
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
    /// The folder that stores the chain; created if missing. None: the chain is lost when the process ends.
    std::optional<std::filesystem::path> data{};
    /// Time between blocks, including empty ones; zero: one block per transaction, as soon as it arrives.
    Duration block_time = std::chrono::seconds(1);
    std::uint64_t chain_id = 31'337;
    std::function<void(std::string_view)> on_fault = [](std::string_view) {};
};

class DevChain {
public:
    /// Continues the chain stored in the folder, or starts one with the accounts of dev_accounts.hpp. Listens at once.
    /// Throws StartupError. The clock must outlive it.
    DevChain(const Executor& executor, Clock& clock, DevChainOptions options);
    ~DevChain();
    DevChain(const DevChain&) = delete;
    DevChain& operator=(const DevChain&) = delete;

    [[nodiscard]] http::ListenAddress address() const;
    [[nodiscard]] std::uint64_t chain_id() const;
    /// The number of the highest block.
    [[nodiscard]] std::uint64_t height() const;

    /// Serves requests and mines blocks until cancelled. Throws StartupError when the file can no longer be written.
    [[nodiscard]] Task<void> run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::devchain
