#include <array>
#include <openssl/ssl.h>
#include <string_view>

#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "http/tls_context_impl.hpp"

namespace fencepost::http {
namespace {

using boost::system::error_code;

// The ALPN protocol names, each preceded by its length (RFC 7301).
constexpr std::array<unsigned char, 9> alpn_protocols{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

void expect(const error_code& error, std::string_view what, const std::string& file, std::string_view advice) {
    if (!error) return;
    throw StartupError(fmt::format("cannot use {} as {}: {}; {}", file, what, error.message(), advice));
}

// A client that supports only another protocol, such as HTTP/2, fails in the handshake and not during a request.
int choose_protocol(SSL* /*tls*/, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned offered_length, void* /*argument*/) {
    unsigned char* found = nullptr;
    if (SSL_select_next_proto(&found, length, alpn_protocols.data(), alpn_protocols.size(), offered, offered_length) !=
        OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

// Without this the library would prompt on the terminal for the password of an encrypted key, and the service would
// hang.
std::string no_password(std::size_t /*max_length*/, asio::ssl::context::password_purpose /*purpose*/) { return {}; }

void show(asio::ssl::context& context, const TlsFiles& files) {
    error_code error;
    context.set_password_callback(no_password, error);
    context.use_certificate_chain_file(files.certificate, error);
    expect(error, "the server's certificate", files.certificate,
           "use a PEM file with the certificate followed by its chain");
    context.use_private_key_file(files.key, asio::ssl::context::pem, error);
    expect(error, "the key of the server's certificate", files.key,
           "use a PEM file with the key of that certificate, without a password and readable by this user");
}

void require_client_certificates(asio::ssl::context& context, const std::string& file) {
    if (file.empty()) return;
    error_code error;
    context.load_verify_file(file, error);
    expect(error, "the authorities of client certificates", file, "use a PEM file with their certificates");
    // Clients receive the list of accepted authorities, so that one with several certificates can choose.
    SSL_CTX_set_client_CA_list(context.native_handle(), SSL_load_client_CA_file(file.c_str()));
    context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
}

}  // namespace

void DeleteTlsContext::operator()(TlsContext* context) const { delete context; }

std::unique_ptr<TlsContext, DeleteTlsContext> make_tls_context(const TlsFiles& files) {
    std::unique_ptr<TlsContext, DeleteTlsContext> made(new TlsContext);
    auto* const native = made->context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    // Renegotiation allows denial of service, and compression leaks plaintext.
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Sessions can be resumed only with the server that authenticated the client in the same way.
    SSL_CTX_set_session_id_context(native, alpn_protocols.data(), alpn_protocols.size());
    SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
    show(made->context, files);
    require_client_certificates(made->context, files.client_authorities);
    return made;
}

}  // namespace fencepost::http
