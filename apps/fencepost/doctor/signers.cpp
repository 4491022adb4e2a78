#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "doctor/checks.hpp"
#include "evm/json_values.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "signers/dev_keys.hpp"
#include "signers/key_file.hpp"
#include "signers/secret_file.hpp"

namespace fencepost::doctor {
namespace {

using config::SignerConfig;
using config::SignerKind;
using Addresses = std::set<Address>;
/// The addresses of its keys, or why they are unknown.
using Known = Result<Addresses, std::string>;

// Decrypting a key takes a second by design; one key is enough to check the password.
Status<std::string> try_password(const SignerConfig& signer, const std::filesystem::path& key_file) {
    std::filesystem::path password_file = signer.password_file;
    if (password_file.empty()) {
        password_file = std::filesystem::path(signer.password_folder) / key_file.filename();
        password_file.replace_extension(".password");
    }
    const auto password = signers::read_secret_file(password_file);
    if (!password) return err(password.error());
    const auto key = signers::read_key_file(key_file, *password);
    if (!key) return err(key.error());
    return {};
}

Known in_keystore(const SignerConfig& signer) {
    const auto files = signers::list_key_files(signer.folder);
    if (!files) return err(files.error());
    if (files->empty()) return err(fmt::format("{} contains no key file", signer.folder));
    if (auto opened = try_password(signer, files->front().path); !opened) return err(std::move(opened.error()));
    Addresses addresses;
    for (const auto& [path, address] : *files) {
        if (address) addresses.insert(*address);
    }
    return addresses;
}

Known in_development_file(const SignerConfig& signer) {
    const auto text = signers::read_secret_file(signer.key_file);
    if (!text) return err(text.error());
    Addresses addresses;
    for (const auto& key : signers::dev_keys(*text, true))
        addresses.insert(key.address());
    return addresses;
}

Known on_token(const SignerConfig& signer) {
    auto pin = signers::read_secret_file(signer.pin_file);
    if (!pin) return err(pin.error());
    const signers::Pkcs11Signer token({.module_path = signer.module_path,
                                       .token_label = signer.token_label,
                                       .pin = *std::move(pin),
                                       .key_labels = signer.key_labels,
                                       .sessions = 1});
    return token.addresses();
}

Known in_answer(const jsonrpc::Answer& answer) {
    if (!answer) {
        const auto* const failure = std::get_if<jsonrpc::Failure>(&answer.error());
        return err(failure != nullptr ? failure->what : std::get<jsonrpc::ErrorAnswer>(answer.error()).message);
    }
    const auto* const accounts = answer->if_array();
    if (accounts == nullptr) return err(std::string("it does not list its accounts"));
    Addresses addresses;
    for (const auto& account : *accounts) {
        const auto address = evm::read_address(account, "account");
        if (!address) return err(address.error().what);
        addresses.insert(*address);
    }
    return addresses;
}

Task<Known> ask_remote(Executor executor, Clock* clock, SignerConfig signer) {
    jsonrpc::HttpJsonRpc rpc(executor, *clock,
                             {.url = *signer.url, .headers = signer.headers, .ca_file = signer.ca_file});
    std::vector<jsonrpc::Request> question;
    question.push_back({"eth_accounts", {}});
    const auto answers = co_await rpc.call(std::move(question), time_limit);
    co_return in_answer(answers.front());
}

Task<Known> keys_of(Executor executor, Clock* clock, SignerConfig signer) {
    try {
        switch (signer.kind) {
            case SignerKind::keystore:
                co_return in_keystore(signer);
            case SignerKind::development:
                co_return in_development_file(signer);
            case SignerKind::pkcs11:
                co_return on_token(signer);
            case SignerKind::remote:
                co_return co_await ask_remote(executor, clock, signer);
        }
    } catch (const StartupError& error) {
        co_return err(std::string(error.what()));
    }
    std::unreachable();
}

Finding judge(const SignerConfig& signer, const Known& known) {
    const auto subject = fmt::format("signer {}", signer.name);
    if (!known) {
        return broken(subject, known.error(),
                      "correct signers." + signer.name + " or the files and services that it names");
    }
    if (known->empty()) return doubtful(subject, "it has no key", "create one: fencepost key new");
    if (signer.kind == SignerKind::development) {
        return doubtful(subject, fmt::format("unencrypted keys: {}", known->size()),
                        "acceptable for a test chain only; default_decision use key files, an HSM or a remote signer");
    }
    return good(subject, fmt::format("keys: {}", known->size()));
}

bool is_held_by_connector(const config::Config& config, const SubmitterId& submitter, const Address& address) {
    const auto* const chain = config.find(submitter.chain());
    return chain != nullptr && chain->connector.url &&
           std::ranges::find(chain->connector.accounts, address) != chain->connector.accounts.end();
}

}  // namespace

Task<KeyReport> check_signers(Executor executor, Clock* clock, std::vector<SignerConfig> signers) {
    KeyReport report;
    for (const auto& signer : signers) {
        const auto known = co_await keys_of(executor, clock, signer);
        report.findings.push_back(judge(signer, known));
        if (known) report.addresses.insert(known->begin(), known->end());
        report.is_complete = report.is_complete && known.has_value();
    }
    if (signers.empty()) {
        report.findings.push_back(
            doubtful("signers", "none configured", "configure one under signers: without it, nothing can be sent"));
    }
    co_return report;
}

Findings check_submitters(const config::Config& config, const KeyReport& keys) {
    Findings findings;
    for (const auto& submitter : config.submitters) {
        const auto subject = fmt::format("submitter {}", submitter.name);
        const auto address = submitter.id.evm_address();
        if (address && keys.addresses.contains(*address)) {
            findings.push_back(good(subject, fmt::format("there is a key for {}", submitter.id)));
        } else if (address && is_held_by_connector(config, submitter.id, *address)) {
            findings.push_back(good(subject, fmt::format("the chain's connector holds the key for {}", submitter.id)));
        } else if (!keys.is_complete) {
            findings.push_back(doubtful(subject,
                                        fmt::format("it is unknown whether there is a key for {}", submitter.id),
                                        "see the signers above"));
        } else {
            findings.push_back(broken(subject, fmt::format("no signer has a key for {}", submitter.id),
                                      "add the key (fencepost key import), or correct the address"));
        }
    }
    return findings;
}

}  // namespace fencepost::doctor
