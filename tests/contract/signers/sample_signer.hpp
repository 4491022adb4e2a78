// Runs samples/remote-signer: the original file with the npm packages of the tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::test {

class SampleSigner {
public:
    enum class Transport { plain, tls };

    /// With a key file of this key. Throws std::runtime_error with its output when it does not start.
    explicit SampleSigner(std::string_view key, Transport transport = Transport::plain);

    [[nodiscard]] const std::string& url() const { return url_; }
    [[nodiscard]] static std::string token() { return "mTq0cXgWl2s7"; }
    [[nodiscard]] std::string ca_file() const { return (folder_.path() / "cert.pem").string(); }
    /// Everything that it has printed.
    [[nodiscard]] std::string output() const { return text_of(folder_.path() / "log"); }

private:
    [[nodiscard]] std::string wait_for_port() const;

    TempFolder folder_;
    std::unique_ptr<ChildProcess> process_;
    std::string url_;
};

}  // namespace fencepost::test
