// A token of SoftHSM's in a temporary folder, and keys on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "signers/pkcs11_signer.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::signers::pkcs11 {
class Module;
}

namespace fencepost::test {

/// One at a time: SoftHSM finds its tokens through an environment variable, when the first of a process loads it.
class SoftHsm {
public:
    static constexpr const char* module_path = "/usr/lib/softhsm/libsofthsm2.so";
    static constexpr const char* pin = "73550921";

    SoftHsm();
    ~SoftHsm();
    SoftHsm(const SoftHsm&) = delete;
    SoftHsm& operator=(const SoftHsm&) = delete;

    /// A new key pair on secp256k1, made on the token.
    void generate_key(std::uint8_t id, const std::string& label) const;
    /// A new pair whose public half is that of another key.
    void generate_mismatched_key(std::uint8_t id, const std::string& label) const;
    /// One on another curve, which is no use to Ethereum.
    void generate_foreign_key(std::uint8_t id, const std::string& label) const;

    void change_pin(const std::string& from, const std::string& to) const;

    /// Takes the token out of the machine, and puts it back.
    void take_out() const;
    void put_back() const;

    [[nodiscard]] signers::Pkcs11Options options(const std::string& with_pin = pin) const;

private:
    class Session;

    TempFolder folder_;
};

}  // namespace fencepost::test
