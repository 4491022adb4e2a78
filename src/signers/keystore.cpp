// Encrypts and decrypts V3 key files with Botan.
#include "signers/keystore.hpp"

#include <algorithm>
#include <bit>

#include <botan/mem_ops.h>
#include <botan/pwdhash.h>
#include <botan/secmem.h>
#include <botan/stream_cipher.h>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "base/crypto/kernel_random.hpp"
#include "signers/keystore_json.hpp"

namespace fencepost::signers {
namespace {

/// Botan wipes it on destruction.
using SecretBytes = Botan::secure_vector<std::uint8_t>;

// The first half encrypts, the second half authenticates the password.
constexpr std::size_t cipher_key_length = 16;

SecretBytes derive(const Botan::PasswordHash& hash, const Secret& password, ByteView salt) {
    SecretBytes derived(derived_length);
    const auto text = password.expose();
    hash.derive_key(derived.data(), derived.size(), text.data(), text.size(), salt.data(), salt.size());
    return derived;
}

SecretBytes derive(const ScryptParams& params, const Secret& password) {
    const auto& [n, r, p] = params.cost;
    const auto family = Botan::PasswordHashFamily::create_or_throw("Scrypt");
    return derive(*family->from_params(n, r, p), password, params.salt);
}

SecretBytes derive(const Pbkdf2Params& params, const Secret& password) {
    const auto family = Botan::PasswordHashFamily::create_or_throw("PBKDF2(SHA-256)");
    return derive(*family->from_params(params.rounds), password, params.salt);
}

SecretBytes derive(const KdfParams& kdf, const Secret& password) {
    return std::visit([&password](const auto& params) { return derive(params, password); }, kdf);
}

Mac mac_of(const SecretBytes& derived, ByteView ciphertext) {
    SecretBytes input(derived.begin() + cipher_key_length, derived.end());
    input.insert(input.end(), ciphertext.begin(), ciphertext.end());
    return keccak256(input);
}

/// Counter mode: encryption and decryption are the same.
void apply_cipher(const SecretBytes& derived, ByteView iv, std::span<std::uint8_t> data) {
    const auto cipher = Botan::StreamCipher::create_or_throw("CTR-BE(AES-128)");
    cipher->set_key(derived.data(), cipher_key_length);
    cipher->set_iv(iv.data(), iv.size());
    cipher->cipher1(data.data(), data.size());
}

Uuid random_uuid() {
    Uuid id;
    fill_from_kernel(id.data);
    id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0fU) | 0x40U);  // version 4
    id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3fU) | 0x80U);  // RFC 9562's variant
    return id;
}

}  // namespace

Result<codec::PrivateKey, KeystoreError> open_keystore(std::string_view json, const Secret& password) {
    const auto file = parse_keystore(json);
    if (!file) return err(file.error());
    const auto derived = derive(file->kdf, password);
    const auto mac = mac_of(derived, file->ciphertext);
    if (!Botan::constant_time_compare(mac.data(), file->mac.data(), mac.size())) {
        return err(
            KeystoreError{KeystoreError::Kind::wrong_password, "the password is wrong (or the file was changed)"});
    }
    SecretBytes secret(file->ciphertext.begin(), file->ciphertext.end());
    apply_cipher(derived, file->iv, secret);
    auto key = codec::PrivateKey::from_bytes(secret);
    if (!key) return err(KeystoreError{KeystoreError::Kind::damaged, "the decrypted content is not a secp256k1 key"});
    if (file->address && *file->address != key->address()) {
        return err(KeystoreError{KeystoreError::Kind::wrong_address,
                                 fmt::format("its field \"address\" says {}, but it holds the key of {}",
                                             file->address->to_checksum(), key->address().to_checksum())});
    }
    return *std::move(key);
}

Result<std::optional<Address>, KeystoreError> address_in_keystore(std::string_view json) {
    auto file = parse_keystore(json);
    if (!file) return err(std::move(file).error());
    return file->address;
}

std::string seal_keystore(const codec::PrivateKey& key, const Secret& password, ScryptCost cost) {
    FP_ASSERT(cost.n > 1 && std::has_single_bit(cost.n) && cost.r > 0 && cost.p > 0 && !cost_error(cost));
    ScryptParams scrypt{.cost = cost, .salt = Bytes(32)};
    fill_from_kernel(scrypt.salt);
    KeystoreFile file{.address = key.address(), .kdf = std::move(scrypt)};
    fill_from_kernel(file.iv);
    const auto derived = derive(file.kdf, password);
    std::ranges::copy(key.expose_secret(), file.ciphertext.begin());
    apply_cipher(derived, file.iv, file.ciphertext);  // in place: no other copy of the plain key exists
    file.mac = mac_of(derived, file.ciphertext);
    return format_keystore(file, random_uuid());
}

codec::PrivateKey generate_key() {
    SecretBytes secret(32);
    for (;;) {  // one draw in 2^127 is not a valid key
        fill_from_kernel(secret);
        if (auto key = codec::PrivateKey::from_bytes(secret)) return *std::move(key);
    }
}

}  // namespace fencepost::signers
