// A whole node, put together from its configuration: database, chains, keys, lanes, its part in the cluster, and the
// API in front of them.
#pragma once

#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/async/task.hpp"
#include "codec/signature.hpp"
#include "config/config.hpp"
#include "ports/store/store.hpp"

namespace fencepost::node {

/// What is not in a configuration.
struct NodeExtras {
    /// Keys besides those of the configured signers.
    std::vector<codec::PrivateKey> keys{};
    /// Where its log goes.
    int log_descriptor = STDERR_FILENO;
};

class Node {
public:
    /// Opens everything and listens, but answers nobody yet; throws StartupError. The context is run by one thread.
    Node(asio::io_context& context, config::Config config, NodeExtras extras = {});
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// Where the API answers.
    [[nodiscard]] std::string url() const;
    /// To be used on the node's context.
    [[nodiscard]] Store& store();

    /// Serves until stop(). Then it answers the requests under way, hands its lanes over, and returns. Throws when a
    /// part of it failed for good.
    [[nodiscard]] Task<void> run();
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::node
