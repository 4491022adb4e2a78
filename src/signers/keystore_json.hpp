// The form of a V3 key file: which fields it has and what they may be. Nothing here is secret; what is bounded is
// bounded here, before anything is computed from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "signers/keystore.hpp"

namespace fencepost::signers {

struct ScryptParams {
    ScryptCost cost;
    Bytes salt;
};

struct Pbkdf2Params {
    std::uint64_t rounds = 0;
    Bytes salt;
};

/// Of the bytes that a password is made into.
inline constexpr std::size_t derived_length = 32;

using KdfParams = std::variant<ScryptParams, Pbkdf2Params>;
using Mac = std::array<std::uint8_t, 32>;

struct KeystoreFile {
    std::optional<Address> address;
    KdfParams kdf;
    std::array<std::uint8_t, 16> iv{};
    std::array<std::uint8_t, 32> ciphertext{};
    Mac mac{};
};

/// Nothing when the cost is bearable, else the sentence why not.
[[nodiscard]] std::optional<std::string> objection_to(const ScryptCost& cost);

[[nodiscard]] Result<KeystoreFile, KeystoreError> parse_keystore(std::string_view text);
/// Only scrypt is written.
[[nodiscard]] std::string format_keystore(const KeystoreFile& file, const Uuid& id);

}  // namespace fencepost::signers
