#include "support/test_certificate.hpp"

#include <memory>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>

#include <fmt/ranges.h>

namespace fencepost::test {
namespace {

template <auto free_function>
struct Free {
    template <typename T>
    void operator()(T* object) const {
        free_function(object);
    }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free>>;
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>>;

void must(bool done) {
    if (!done) throw std::runtime_error("OpenSSL could not create the test certificate");
}

std::string text_of(const Bio& bio) {
    char* data = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

void add_extension(X509* certificate, int kind, const std::string& value) {
    const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
    must(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

Certificate sign(EVP_PKEY* key, const std::vector<std::string>& names) {
    constexpr long hour = 3600;
    Certificate certificate(X509_new());
    must(certificate != nullptr);
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -hour);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * hour);
    auto* const name = X509_get_subject_name(certificate.get());
    const std::string subject = "a test of Fencepost";
    must(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(subject.c_str()),
                                    -1, -1, 0) == 1);
    X509_set_issuer_name(certificate.get(), name);
    X509_set_pubkey(certificate.get(), key);
    add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate.get(), NID_subject_alt_name, fmt::format("{}", fmt::join(names, ",")));
    must(X509_sign(certificate.get(), key, EVP_sha256()) > 0);
    return certificate;
}

}  // namespace

TestCertificate make_test_certificate(const std::vector<std::string>& names) {
    const Key key(EVP_EC_gen("P-256"));
    must(key != nullptr);
    const auto certificate = sign(key.get(), names);
    const Bio certificate_text(BIO_new(BIO_s_mem()));
    const Bio key_text(BIO_new(BIO_s_mem()));
    must(PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1);
    must(PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return {.certificate_pem = text_of(certificate_text), .key_pem = text_of(key_text)};
}

}  // namespace fencepost::test
