#include <chrono>
#include <memory>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <fmt/format.h>

#include "doctor/checks.hpp"

namespace fencepost::doctor {
namespace {

constexpr std::chrono::hours soon = std::chrono::days(21);

std::string openssl_error() {
    const auto code = ERR_get_error();
    const auto* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
    ERR_clear_error();
    return reason == nullptr ? "it cannot be read" : reason;
}

UnixTime time_of(const ASN1_TIME* time) {
    int days = 0;
    int seconds = 0;
    const std::unique_ptr<ASN1_TIME, void (*)(ASN1_TIME*)> epoch(ASN1_TIME_set(nullptr, 0), ASN1_TIME_free);
    if (ASN1_TIME_diff(&days, &seconds, epoch.get(), time) != 1) return UnixTime::min();
    return UnixTime{} + std::chrono::days(days) + std::chrono::seconds(seconds);
}

Finding judge_end(const SSL_CTX* context, UnixTime now) {
    const std::string subject = "TLS certificate";
    const auto end = time_of(X509_get0_notAfter(SSL_CTX_get0_certificate(context)));
    const auto date = to_rfc3339(end).substr(0, sizeof("2026-11-16") - 1);
    if (end <= now) return broken(subject, "it expired on " + date, "renew it");
    if (end - now < soon) return doubtful(subject, "it expires on " + date, "renew it");
    return good(subject, "valid until " + date);
}

}  // namespace

Findings check_tls(const http::TlsFiles& tls, UnixTime now) {
    if (tls.certificate.empty()) return {};
    const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context.get(), tls.certificate.c_str()) != 1) {
        return {broken("TLS certificate", fmt::format("{}: {}", tls.certificate, openssl_error()),
                       "set http.tls.certificateFile to a PEM file with the certificate and its chain")};
    }
    Findings findings{judge_end(context.get(), now)};
    if (SSL_CTX_use_PrivateKey_file(context.get(), tls.key.c_str(), SSL_FILETYPE_PEM) != 1) {
        findings.push_back(broken("TLS key", fmt::format("{}: {}", tls.key, openssl_error()),
                                  "set http.tls.keyFile to the PEM file with the certificate's key"));
    } else {
        findings.push_back(good("TLS key", "it matches the certificate"));
    }
    if (!tls.client_authorities.empty()) {
        const bool read = SSL_CTX_load_verify_file(context.get(), tls.client_authorities.c_str()) == 1;
        findings.push_back(read ? good("TLS client authority", "callers must present a certificate of it")
                                : broken("TLS client authority",
                                         fmt::format("{}: {}", tls.client_authorities, openssl_error()),
                                         "set http.tls.clientCaFile to a PEM file"));
    }
    return findings;
}

}  // namespace fencepost::doctor
