// TLS settings and readable handshake failures.
#include "jsonrpc/tls.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/startup_error.hpp"

namespace fencepost::jsonrpc {

asio::ssl::context make_tls_context(const std::string& ca_file) {
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    context.set_verify_mode(asio::ssl::verify_peer);
    boost::system::error_code error;
    context.set_default_verify_paths(error);  // a system without authorities trusts none: the handshake will fail
    if (ca_file.empty()) return context;
    context.load_verify_file(ca_file, error);
    if (error) {
        throw StartupError(
            fmt::format("cannot read certificates from {}: {}; name a PEM file with the certificate "
                        "authority of the server",
                        ca_file, error.message()));
    }
    return context;
}

void expect_host(TlsStream& stream, const std::string& host) {
    auto* const tls = stream.native_handle();
    auto* const expected = SSL_get0_param(tls);
    boost::system::error_code not_numeric;
    asio::ip::make_address(host, not_numeric);
    if (!not_numeric) {
        FP_ASSERT(X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1);
        return;
    }
    X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    FP_ASSERT(X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size()) == 1);
    FP_ASSERT(SSL_ctrl(tls, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(host.c_str())) ==
              1);
}

Failure handshake_failure(TlsStream& stream, const boost::system::error_code& error) {
    const auto verdict = SSL_get_verify_result(stream.native_handle());
    if (verdict != X509_V_OK) {
        return {.kind = Failure::Kind::unreachable,
                .what = fmt::format("certificate not trusted: {}", X509_verify_cert_error_string(verdict))};
    }
    return {.kind = Failure::Kind::unreachable, .what = fmt::format("no TLS connection: {}", error.message())};
}

}  // namespace fencepost::jsonrpc
