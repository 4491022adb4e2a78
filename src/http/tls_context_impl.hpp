// Private to src/http: the TLS library's part of tls_context.hpp, for the two files that use it.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "base/async/task.hpp"
#include "http/tls_context.hpp"

namespace fencepost::http {

struct TlsContext {
    asio::ssl::context context{asio::ssl::context::tls_server};
};

}  // namespace fencepost::http
