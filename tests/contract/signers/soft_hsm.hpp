// A SoftHSM token in a temporary folder, with keys.
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

/// One at a time: SoftHSM locates its tokens through an environment variable when a process first loads it.
class SoftHsm {
public:
    static constexpr const char* module_path = "/usr/lib/softhsm/libsofthsm2.so";
    static constexpr const char* pin = "73550921";

    SoftHsm();
    ~SoftHsm();
    SoftHsm(const SoftHsm&) = delete;
    SoftHsm& operator=(const SoftHsm&) = delete;

    /// Generates a key pair on secp256k1 on the token.
    void generate_key(std::uint8_t id, const std::string& label) const;
    /// A pair whose public half belongs to another key.
    void generate_mismatched_key(std::uint8_t id, const std::string& label) const;
    /// A key on another curve, which Ethereum cannot use.
    void generate_foreign_key(std::uint8_t id, const std::string& label) const;

    void change_pin(const std::string& from, const std::string& to) const;

    /// Removes the token from the machine, and puts it back.
    void take_out() const;
    void put_back() const;

    [[nodiscard]] signers::Pkcs11Options options(const std::string& with_pin = pin) const;

private:
    class Session;

    TempFolder folder_;
};

}  // namespace fencepost::test
