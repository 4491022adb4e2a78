// The fields of a V3 key file and their valid ranges. Nothing here is secret; all limits are checked here, before
// anything is computed.
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

/// Length of the key derived from a password.
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

/// Empty when the cost is acceptable, else a sentence that says why not.
[[nodiscard]] std::optional<std::string> cost_error(const ScryptCost& cost);

[[nodiscard]] Result<KeystoreFile, KeystoreError> parse_keystore(std::string_view text);
/// Always scrypt.
[[nodiscard]] std::string format_keystore(const KeystoreFile& file, const Uuid& id);

}  // namespace fencepost::signers
