// Private to src/http: opens the listening socket, and explains to the operator why an address cannot be used.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "http/listen_address.hpp"

namespace fencepost::http {

/// Resolves the name, and binds and listens on its first address. Throws StartupError.
[[nodiscard]] asio::ip::tcp::acceptor open_listener(const Executor& executor, const ListenAddress& address,
                                                    bool beyond_loopback);

}  // namespace fencepost::http
