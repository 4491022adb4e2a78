// A session with a token: open, logged in, with its keys indexed by address.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/crypto/secret.hpp"
#include "codec/signature.hpp"
#include "domain/address.hpp"
#include "signers/pkcs11/module.hpp"

namespace fencepost::signers::pkcs11 {

struct OpenError {
    bool pin_refused = false;  // then do not retry
    std::string what;
};

/// As returned by the token: s may be high, and the recovery id is unknown.
struct RawSignature {
    codec::Scalar r{};
    codec::Scalar s{};
};

/// Used by one thread at a time.
class Session {
public:
    /// Uses the secp256k1 keys with one of these labels; all of them when no label is given.
    [[nodiscard]] static Result<std::unique_ptr<Session>, OpenError> open(std::shared_ptr<Module> module,
                                                                          const std::string& token_label,
                                                                          const Secret& pin,
                                                                          const std::vector<std::string>& key_labels);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    using Keys = std::map<Address, CK_OBJECT_HANDLE>;
    [[nodiscard]] const Keys& keys() const { return keys_; }
    /// The key must belong to this session.
    [[nodiscard]] Result<RawSignature, Failure> sign(const Address& address, const codec::Digest& digest);

private:
    Session(std::shared_ptr<Module> module, CK_SESSION_HANDLE handle);
    [[nodiscard]] Status<OpenError> log_in(const std::string& token_label, const Secret& pin);

    std::shared_ptr<Module> module_;
    CK_SESSION_HANDLE handle_;
    Keys keys_;
};

}  // namespace fencepost::signers::pkcs11
