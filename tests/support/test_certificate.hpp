// A freshly generated certificate, so that TLS tests need no file in the repository that expires.
#pragma once

#include <string>
#include <vector>

namespace fencepost::test {

struct TestCertificate {
    std::string certificate_pem;
    std::string key_pem;
};

/// Self-signed, valid from an hour ago until tomorrow. Names have the X.509 form: "DNS:localhost", "IP:127.0.0.1".
[[nodiscard]] TestCertificate make_test_certificate(const std::vector<std::string>& names);

}  // namespace fencepost::test
