// Ethereum's "V3" key files (Web3 Secret Storage Definition): a private key in JSON, encrypted with a password, as
// geth, ethers and most wallets read and write it. Converts text to keys and back; key_file.hpp handles the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/crypto/secret.hpp"
#include "base/result.hpp"
#include "codec/signature.hpp"

namespace fencepost::signers {

struct KeystoreError {
    enum class Kind {
        damaged,         // not a V3 key file, or an invalid field
        too_expensive,   // its parameters need more memory or time than any honest file does
        wrong_password,  // or the ciphertext was changed: the check cannot tell the two apart
        wrong_address,   // it holds the key of another address than it says
    };
    Kind kind{};
    /// Names the field; free of the key and the password.
    std::string what;
};

/// The cost of one password guess: memory is 128 × n × r bytes.
struct ScryptCost {
    std::uint64_t n = 262'144;  // geth's: 256 MiB and about a second
    std::uint64_t r = 8;
    std::uint64_t p = 1;

    /// For tests: a millisecond.
    [[nodiscard]] static constexpr ScryptCost weak() { return {.n = 1024, .r = 8, .p = 1}; }
};

/// Supports scrypt and PBKDF2 (HMAC-SHA-256) with AES-128-CTR. Passwords are bytes, without Unicode normalisation.
[[nodiscard]] Result<codec::PrivateKey, KeystoreError> open_keystore(std::string_view json, const Secret& password);

/// The address in the text, without decrypting; empty when the text has none, which is valid.
[[nodiscard]] Result<std::optional<Address>, KeystoreError> address_in_keystore(std::string_view json);

/// Encrypts with scrypt and a random salt, IV and id. FP_ASSERTs that open_keystore would accept `cost`.
[[nodiscard]] std::string seal_keystore(const codec::PrivateKey& key, const Secret& password, ScryptCost cost = {});

/// A new key from the kernel's randomness. Throws StartupError when the kernel provides none.
[[nodiscard]] codec::PrivateKey generate_key();

}  // namespace fencepost::signers
