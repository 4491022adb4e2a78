// A whole node, built from its configuration: database, chains, keys, lanes, cluster membership and API.
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

/// Settings that the configuration does not contain.
struct NodeExtras {
    /// Keys in addition to those of the configured signers.
    std::vector<codec::PrivateKey> keys{};
    /// The file descriptor of the log.
    int log_descriptor = STDERR_FILENO;
};

class Node {
public:
    /// Opens everything and listens, but answers no request yet; throws StartupError. One thread runs the context.
    Node(asio::io_context& context, config::Config config, NodeExtras extras = {});
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// The URL of the API.
    [[nodiscard]] std::string url() const;
    /// Use it on the node's context only.
    [[nodiscard]] Store& store();

    /// Serves until stop(). Then it answers the requests in progress, hands its lanes over, and returns. Throws when a
    /// part of it fails permanently.
    [[nodiscard]] Task<void> run();
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::node
