#include "node/keys.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/startup_error.hpp"
#include "signers/dev_keys.hpp"
#include "signers/key_file.hpp"
#include "signers/secret_file.hpp"

namespace fencepost::node {
namespace {

using config::SignerConfig;
using config::SignerKind;
using Keys = std::vector<codec::PrivateKey>;

/// How often a remote signer is asked for its addresses.
constexpr auto refresh_interval = std::chrono::seconds(30);

Secret secret_in(const std::string& file) {
    auto secret = signers::read_secret_file(file);
    if (!secret) throw StartupError(secret.error());
    return *std::move(secret);
}

signers::Passwords passwords_of(const SignerConfig& configured) {
    if (!configured.password_file.empty()) return secret_in(configured.password_file);
    return signers::PasswordFolder{configured.password_folder};
}

// Decrypting a key file takes about a second by design; the log line explains the delay.
Keys keys_in_folder(const SignerConfig& configured, Log& log) {
    log.write(Severity::info, "Opening key files (about 1 s each)",
              {{"signer", configured.name}, {"folder", configured.folder}});
    return signers::load_keystore_folder(configured.folder, passwords_of(configured));
}

/// The private keys of this signer that the process itself holds; the other kinds never give theirs away.
Keys keys_of(const SignerConfig& configured, Log& log) {
    switch (configured.kind) {
        case SignerKind::keystore:
            return keys_in_folder(configured, log);
        case SignerKind::development:
            return signers::dev_keys(secret_in(configured.key_file), true);
        case SignerKind::pkcs11:  // NodeKeys opens the token
        case SignerKind::remote:  // ThreadKeys opens a connection
            return {};
    }
    std::unreachable();
}

/// All keys that this process holds; records their addresses.
Keys local_keys(const std::vector<SignerConfig>& all, Keys keys, std::vector<Address>& addresses, Log& log) {
    for (const auto& configured : all)
        std::ranges::move(keys_of(configured, log), std::back_inserter(keys));
    std::ranges::transform(keys, std::back_inserter(addresses), &codec::PrivateKey::address);
    return keys;
}

std::unique_ptr<signers::Pkcs11Signer> open_token(const SignerConfig& configured) {
    return std::make_unique<signers::Pkcs11Signer>(signers::Pkcs11Options{.module_path = configured.module_path,
                                                                          .token_label = configured.token_label,
                                                                          .pin = secret_in(configured.pin_file),
                                                                          .key_labels = configured.key_labels,
                                                                          .sessions = configured.sessions});
}

}  // namespace

NodeKeys::NodeKeys(const std::vector<SignerConfig>& configured, Keys given, Log& log)
    : local_(local_keys(configured, std::move(given), addresses_, log)) {
    for (const auto& one : configured) {
        if (one.kind != SignerKind::pkcs11) continue;
        tokens_.push_back(open_token(one));
        std::ranges::copy(tokens_.back()->addresses(), std::back_inserter(addresses_));
    }
}

std::vector<std::reference_wrapper<Signer>> NodeKeys::signers() {
    std::vector<std::reference_wrapper<Signer>> all{local_};
    for (const auto& token : tokens_)
        all.emplace_back(*token);
    return all;
}

ThreadKeys::Remote::Remote(const Executor& executor, Clock& clock, const SignerConfig& configured)
    : name(configured.name),
      rpc(executor, clock,
          {.url = configured.url.value(), .headers = configured.headers, .ca_file = configured.ca_file}),
      signer(rpc, configured.remote) {}

ThreadKeys::ThreadKeys(const Executor& executor, Clock& clock, Log& log, NodeKeys& shared,
                       const std::vector<SignerConfig>& configured)
    : clock_(clock),
      log_(log) {
    auto all = shared.signers();
    for (const auto& one : configured) {
        if (one.kind != SignerKind::remote) continue;
        remotes_.push_back(std::make_unique<Remote>(executor, clock, one));
        all.emplace_back(remotes_.back()->signer);
    }
    all_.emplace(std::move(all));
}

Task<void> ThreadKeys::run() {
    while (!remotes_.empty()) {
        for (const auto& remote : remotes_)
            co_await refresh(remote.get());
        co_await clock_.sleep_for(refresh_interval);
    }
}

// Logs an outage when it starts and when it ends, not on every try.
Task<void> ThreadKeys::refresh(Remote* remote) {
    const auto asked = co_await remote->signer.refresh();
    const bool answers = asked.has_value();
    if (answers == remote->answers) co_return;
    remote->answers = answers;
    if (answers) {
        log_.write(Severity::info, "Remote signer recovered", {{"signer", remote->name}});
    } else {
        log_.write(Severity::warning, "Remote signer does not list its addresses",
                   {{"signer", remote->name}, {"error", asked.error().what}});
    }
}

}  // namespace fencepost::node
