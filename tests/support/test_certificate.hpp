// A certificate made on the spot, so that TLS is tested without a file that expires in the repository.
#pragma once

#include <string>
#include <vector>

namespace fencepost::test {

struct TestCertificate {
    std::string certificate_pem;
    std::string key_pem;
};

/// Signed by its own key, valid for a day from an hour ago. Names are written as X.509 writes them: "DNS:localhost",
/// "IP:127.0.0.1".
[[nodiscard]] TestCertificate make_test_certificate(const std::vector<std::string>& names);

}  // namespace fencepost::test
