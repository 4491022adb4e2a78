// Ethereum's "V3" key files: a private key in JSON, encrypted with a password (the Web3 Secret Storage Definition,
// which geth, ethers and most wallets read and write). Text in, key out, and back; files are key_file.hpp's business.
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
        damaged,         // not a V3 key file, or a field of it is wrong
        too_expensive,   // its parameters would take more memory or time than any honest file needs
        wrong_password,  // or its ciphertext was changed: the check cannot tell the two apart
        wrong_address,   // it holds another key than it says
    };
    Kind kind{};
    /// Names the field; free of the key and the password.
    std::string what;
};

/// What a guess at the password costs: memory is 128 × n × r bytes.
struct ScryptCost {
    std::uint64_t n = 262'144;  // geth's: 256 MiB and about a second
    std::uint64_t r = 8;
    std::uint64_t p = 1;

    /// For tests: a millisecond.
    [[nodiscard]] static constexpr ScryptCost weak() { return {.n = 1024, .r = 8, .p = 1}; }
};

/// Takes scrypt and PBKDF2 (HMAC-SHA-256) with AES-128-CTR. Passwords are bytes: no Unicode normalisation is done.
[[nodiscard]] Result<codec::PrivateKey, KeystoreError> open_keystore(std::string_view json, const Secret& password);

/// The address that the text says it is for, without opening it; nothing when it keeps that to itself, which it may.
[[nodiscard]] Result<std::optional<Address>, KeystoreError> address_in_keystore(std::string_view json);

/// With scrypt, and a salt, an IV and an id of their own. `cost` is a programmer's mistake where open_keystore would
/// refuse it.
[[nodiscard]] std::string seal_keystore(const codec::PrivateKey& key, const Secret& password, ScryptCost cost = {});

/// A new key from the kernel's randomness. Throws StartupError when the kernel gives none.
[[nodiscard]] codec::PrivateKey generate_key();

}  // namespace fencepost::signers
