// Private to src/http: the listening socket, and the sentences for a person whose address cannot be listened on.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "http/listen_address.hpp"

namespace fencepost::http {

/// Resolves, binds and listens at once, on the first address of the name. Throws StartupError.
[[nodiscard]] asio::ip::tcp::acceptor open_listener(const Executor& executor, const ListenAddress& address,
                                                    bool beyond_loopback);

}  // namespace fencepost::http
