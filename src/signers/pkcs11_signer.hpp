// Keys that never leave a hardware security module. Everything it does goes through PKCS#11, the C interface that its
// maker's library offers.
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
    std::string module_path;  // the maker's library, e.g. /usr/lib/softhsm/libsofthsm2.so
    std::string token_label;
    Secret pin;
    /// Labels of the keys to use; empty: all keys of secp256k1 on the token.
    std::vector<std::string> key_labels{};
    /// How many signatures are asked for at once; each has a thread and a session of its own.
    unsigned sessions = 2;
};

/// May be used from several threads at once. Calls into the module block, for as long as it likes: they are made on
/// threads of the signer's own, and the task goes on where it was. A token that went away is looked for again by the
/// next signature; a PIN that is refused then is not tried a second time, for tokens lock themselves after a few.
class Pkcs11Signer final : public Signer {
public:
    /// Throws StartupError: no such module, token or key, a wrong PIN.
    explicit Pkcs11Signer(Pkcs11Options options);
    /// Waits for signatures under way. The executors of waiting tasks must still be there.
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
