// The configured signers. Those that every thread may call exist once per node; those that call another service belong
// to a thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/async/task.hpp"
#include "codec/signature.hpp"
#include "config/config.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "signers/local_signer.hpp"
#include "signers/pkcs11_signer.hpp"
#include "signers/remote_signer.hpp"
#include "signers/signer_set.hpp"

namespace fencepost::node {

/// Keys in this process and in hardware security modules.
class NodeKeys {
public:
    /// Opens every key file and token. `given` are keys in addition to the configured ones. Throws StartupError.
    NodeKeys(const std::vector<config::SignerConfig>& configured, std::vector<codec::PrivateKey> given, Log& log);

    [[nodiscard]] std::vector<std::reference_wrapper<Signer>> signers();
    /// The addresses of all keys.
    [[nodiscard]] const std::vector<Address>& addresses() const { return addresses_; }

private:
    std::vector<Address> addresses_;
    signers::LocalSigner local_;
    std::vector<std::unique_ptr<signers::Pkcs11Signer>> tokens_;
};

/// All signers, for one thread.
class ThreadKeys {
public:
    ThreadKeys(const Executor& executor, Clock& clock, Log& log, NodeKeys& shared,
               const std::vector<config::SignerConfig>& configured);

    [[nodiscard]] Signer& signer() { return *all_; }
    /// Keeps asking remote signers for which addresses they sign, until it is cancelled.
    [[nodiscard]] Task<void> run();

private:
    struct Remote {
        std::string name;
        jsonrpc::HttpJsonRpc rpc;
        signers::RemoteSigner signer;
        bool answers = true;

        Remote(const Executor& executor, Clock& clock, const config::SignerConfig& configured);
    };

    [[nodiscard]] Task<void> refresh(Remote* remote);

    Clock& clock_;
    Log& log_;
    std::vector<std::unique_ptr<Remote>> remotes_;
    std::optional<signers::SignerSet> all_;
};

}  // namespace fencepost::node
