#include "config/keys/signer_rules.hpp"

#include "base/assert.hpp"

namespace fencepost::config {

std::optional<std::string> missing_keys_of(const SignerConfig& signer) {
    const auto unless = [](bool there, const char* what) -> std::optional<std::string> {
        return there ? std::nullopt : std::optional<std::string>(what);
    };
    switch (signer.kind) {
        case SignerKind::keystore:
            return unless(!signer.folder.empty() && signer.password_file.empty() != signer.password_folder.empty(),
                          "needs folder, and either passwordFile or passwordFolder");
        case SignerKind::remote:
            return unless(signer.url.has_value(), "needs url");
        case SignerKind::pkcs11:
            return unless(!signer.module_path.empty() && !signer.token_label.empty() && !signer.pin_file.empty(),
                          "needs module, token and pinFile");
        case SignerKind::development:
            return unless(!signer.key_file.empty(), "needs keyFile");
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::config
