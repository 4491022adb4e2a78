// Signs with keys that never leave a hardware security module (HSM), through PKCS#11, the C interface of the vendor's
// library.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/crypto/secret.hpp"
#include "domain/address.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

struct Pkcs11Options {
    std::string module_path;  // the vendor's library, e.g. /usr/lib/softhsm/libsofthsm2.so
    std::string token_label;
    Secret pin;
    /// Labels of the keys to use; empty: all secp256k1 keys of the token.
    std::vector<std::string> key_labels{};
    /// Concurrent signatures; each has its own thread and session.
    unsigned sessions = 2;
};

/// Safe to use from several threads. Calls into the module may block indefinitely, so they run on the signer's own
/// threads and the task resumes where it was. After a token went away, the next signature looks for it again; if the
/// PIN is refused then, it is not retried, because tokens lock after a few attempts.
class Pkcs11Signer final : public Signer {
public:
    /// Throws StartupError when module, token or key is missing, or the PIN is wrong.
    explicit Pkcs11Signer(Pkcs11Options options);
    /// Waits for signatures in progress. The executors of waiting tasks must still exist.
    ~Pkcs11Signer() override;
    Pkcs11Signer(const Pkcs11Signer&) = delete;
    Pkcs11Signer& operator=(const Pkcs11Signer&) = delete;

    [[nodiscard]] const std::set<Address>& addresses() const;

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override;
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    class Sessions;

    std::unique_ptr<Sessions> sessions_;
};

}  // namespace fencepost::signers
