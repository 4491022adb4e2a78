// Private to src/jsonrpc: which certificate authorities are trusted, and which host a connection expects.
#pragma once

#include <string>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "jsonrpc/dial.hpp"

namespace fencepost::jsonrpc {

using TlsStream = asio::ssl::stream<Socket>;

/// Trusts the system's certificate authorities and, if a file is given, those in it. Throws StartupError when the file
/// cannot be read.
[[nodiscard]] asio::ssl::context make_tls_context(const std::string& ca_file);

/// Call before the handshake. Requires a certificate for `host` and sends the name to the server (SNI).
void expect_host(TlsStream& stream, const std::string& host);

/// Why a handshake failed, as text for operators.
[[nodiscard]] Failure handshake_failure(TlsStream& stream, const boost::system::error_code& error);

}  // namespace fencepost::jsonrpc
