// Private to src/jsonrpc: whom we trust, and how a connection is told whom to expect.
#pragma once

#include <string>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "jsonrpc/dial.hpp"

namespace fencepost::jsonrpc {

using TlsStream = asio::ssl::stream<Socket>;

/// Trusts this system's certificate authorities and, if a file is named, those in it. Throws StartupError when the file
/// cannot be read.
[[nodiscard]] asio::ssl::context make_tls_context(const std::string& ca_file);

/// To be called before the handshake: the certificate must be the host's own, and the server is told which we want.
void expect_host(TlsStream& stream, const std::string& host);

/// Why a handshake failed, for people.
[[nodiscard]] Failure handshake_failure(TlsStream& stream, const boost::system::error_code& error);

}  // namespace fencepost::jsonrpc
