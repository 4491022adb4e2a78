// Starts the sample signer and waits for its port.
#include "sample_signer.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "codec/signature.hpp"
#include "signers/key_file.hpp"
#include "support/test_certificate.hpp"

namespace fencepost::test {

SampleSigner::SampleSigner(std::string_view key, Transport transport) {
    const std::filesystem::path source = FENCEPOST_SOURCE_DIR;
    std::filesystem::copy_file(source / "samples/remote-signer/server.mjs", folder_.path() / "server.mjs");
    std::filesystem::create_directory_symlink(source / "tests/node/node_modules", folder_.path() / "node_modules");
    const auto key_file = signers::write_key_file(folder_.path() / "keys", *codec::PrivateKey::from_hex(key),
                                                  Secret("sesame"), signers::ScryptCost::weak());
    std::vector<std::string> command{"/usr/bin/env", "KEYSTORE=" + key_file.value().string(),
                                     "PASSWORD_FILE=" + folder_.write("password", "sesame\n").string(),
                                     "TOKEN_FILE=" + folder_.write("token", token() + "\n").string(), "PORT=0"};
    if (transport == Transport::tls) {
        const auto certificate = make_test_certificate({"IP:127.0.0.1"});
        command.push_back("TLS_CERT=" + folder_.write("cert.pem", certificate.certificate_pem).string());
        command.push_back("TLS_KEY=" + folder_.write("key.pem", certificate.key_pem).string());
    }
    command.insert(command.end(), {"node", "server.mjs"});
    process_ = std::make_unique<ChildProcess>(
        command, ChildOptions{.folder = folder_.path().string(), .log = (folder_.path() / "log").string()});
    url_ = (transport == Transport::tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + wait_for_port();
}

std::string SampleSigner::wait_for_port() const {
    constexpr std::string_view before_port = "on port ";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline && !process_->has_ended()) {
        const auto text = output();
        const auto at = text.find(before_port);
        if (at != std::string::npos && text.ends_with('\n')) {
            return text.substr(at + before_port.size(), text.size() - at - before_port.size() - 1);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // until it has printed its port
    }
    throw std::runtime_error("the sample signer does not start: " + output());
}

}  // namespace fencepost::test
