// A session with a token: opened, logged in, its keys known by their addresses.
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
    bool pin_refused = false;  // then do not try it again
    std::string what;
};

/// As the token gives it: s may be high, and nobody has said which of two points r stands for.
struct RawSignature {
    codec::Scalar r{};
    codec::Scalar s{};
};

/// Used by one thread at a time.
class Session {
public:
    /// Keys are those of secp256k1 with one of these labels; of any label when there are none.
    [[nodiscard]] static Result<std::unique_ptr<Session>, OpenError> open(std::shared_ptr<Module> module,
                                                                          const std::string& token_label,
                                                                          const Secret& pin,
                                                                          const std::vector<std::string>& key_labels);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    using Keys = std::map<Address, CK_OBJECT_HANDLE>;
    [[nodiscard]] const Keys& keys() const { return keys_; }
    /// Of a key that this session has.
    [[nodiscard]] Result<RawSignature, Failure> sign(const Address& address, const codec::Digest& digest);

private:
    Session(std::shared_ptr<Module> module, CK_SESSION_HANDLE handle);
    [[nodiscard]] Status<OpenError> log_in(const std::string& token_label, const Secret& pin);

    std::shared_ptr<Module> module_;
    CK_SESSION_HANDLE handle_;
    Keys keys_;
};

}  // namespace fencepost::signers::pkcs11
