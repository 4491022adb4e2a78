// secp256k1 keys, signatures and recovery on libsecp256k1.
#include "codec/signature.hpp"

#include <algorithm>
#include <secp256k1_recovery.h>
#include <utility>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "base/crypto/wipe.hpp"
#include "base/text/hex.hpp"
#include "codec/secp256k1_context.hpp"

namespace fencepost::codec {
namespace {

constexpr std::size_t public_key_length = 65;  // with the byte that marks it "uncompressed"

// n, the order of the curve, and n / 2.
constexpr Scalar order{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
                       0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};
constexpr Scalar half_order{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                            0xff, 0xff, 0xff, 0xff, 0xff, 0x5d, 0x57, 0x6e, 0x73, 0x57, 0xa4,
                            0x50, 0x1d, 0xdf, 0xe9, 0x2f, 0x46, 0x68, 0x1b, 0x20, 0xa0};

// An address is the last 20 bytes of the hash of the public key.
Address address_of(const secp256k1_pubkey& key) {
    std::array<std::uint8_t, public_key_length> bytes{};
    std::size_t length = bytes.size();
    FP_ASSERT(secp256k1_ec_pubkey_serialize(secp256k1(), bytes.data(), &length, &key, SECP256K1_EC_UNCOMPRESSED) == 1);
    const auto hash = keccak256(ByteView(bytes).subspan(1));
    return Address{*Address::from(ByteView(hash).last(Address::length))};
}

Scalar negated(const Scalar& scalar) {
    Scalar result{};
    int borrow = 0;
    for (std::size_t i = result.size(); i-- > 0;) {
        const int difference = order[i] - scalar[i] - borrow;
        borrow = difference < 0 ? 1 : 0;
        result[i] = static_cast<std::uint8_t>(difference + 256 * borrow);
    }
    return result;
}

}  // namespace

Result<PrivateKey, ParseError> PrivateKey::from_bytes(ByteView secret) {
    if (secret.size() != sizeof(Scalar)) return err(ParseError{"a private key has 32 bytes"});
    PrivateKey key;
    std::ranges::copy(secret, key.secret_.begin());
    if (secp256k1_ec_seckey_verify(secp256k1(), key.secret_.data()) != 1) {
        return err(ParseError{"a private key is above 0 and below the order of the curve"});
    }
    secp256k1_pubkey public_key{};
    FP_ASSERT(secp256k1_ec_pubkey_create(secp256k1(), &public_key, key.secret_.data()) == 1);
    key.address_ = address_of(public_key);
    return key;
}

// Does not use base's from_hex: its error would quote the text, and its vector would keep the key.
Result<PrivateKey, ParseError> PrivateKey::from_hex(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    Scalar secret{};
    if (text.size() != 2 * secret.size()) return err(ParseError{"a private key has 64 hexadecimal digits"});
    bool all_digits = true;
    for (std::size_t i = 0; i < secret.size(); ++i) {
        const int high = hex_digit(text[2 * i]);
        const int low = hex_digit(text[2 * i + 1]);
        all_digits = all_digits && high >= 0 && low >= 0;
        secret[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    auto key = all_digits ? from_bytes(secret)
                          : err(ParseError{"a private key has hexadecimal digits only; this text has others"});
    wipe(secret);
    return key;
}

PrivateKey::PrivateKey(PrivateKey&& other) noexcept : secret_(other.secret_), address_(other.address_) {
    wipe(other.secret_);
}

PrivateKey& PrivateKey::operator=(PrivateKey&& other) noexcept {
    if (this == &other) return *this;
    secret_ = other.secret_;
    address_ = other.address_;
    wipe(other.secret_);
    return *this;
}

PrivateKey::~PrivateKey() { wipe(secret_); }

Signature PrivateKey::sign(const Digest& digest) const {
    secp256k1_ecdsa_recoverable_signature made{};
    // Fails only for a wiped key.
    FP_ASSERT(secp256k1_ecdsa_sign_recoverable(secp256k1(), &made, digest.data.data(), secret_.data(), nullptr,
                                               nullptr) == 1);
    std::array<std::uint8_t, 64> compact{};
    int parity = 0;
    secp256k1_ecdsa_recoverable_signature_serialize_compact(secp256k1(), compact.data(), &parity, &made);
    // 2 and 3 would mean that r exceeds the order: practically impossible, and not representable in Ethereum.
    FP_ASSERT(parity == 0 || parity == 1);

    Signature signature;
    std::copy_n(compact.begin(), 32, signature.r.begin());
    std::copy_n(compact.begin() + 32, 32, signature.s.begin());
    signature.y_parity = parity == 1;
    return signature;
}

std::optional<Address> recover(const Digest& digest, const Signature& signature) {
    std::array<std::uint8_t, 64> compact{};
    std::ranges::copy(signature.r, compact.begin());
    std::ranges::copy(signature.s, compact.begin() + 32);
    secp256k1_ecdsa_recoverable_signature parsed{};
    secp256k1_pubkey key{};
    if (secp256k1_ecdsa_recoverable_signature_parse_compact(secp256k1(), &parsed, compact.data(),
                                                            signature.y_parity ? 1 : 0) != 1 ||
        secp256k1_ecdsa_recover(secp256k1(), &key, &parsed, digest.data.data()) != 1) {
        return std::nullopt;
    }
    return address_of(key);
}

std::optional<Address> address_of_public_key(ByteView public_key) {
    std::array<std::uint8_t, public_key_length> bytes{0x04};
    if (public_key.size() == bytes.size() && public_key.front() == 0x04) public_key = public_key.subspan(1);
    if (public_key.size() != bytes.size() - 1) return std::nullopt;
    std::ranges::copy(public_key, bytes.begin() + 1);
    secp256k1_pubkey key{};
    if (secp256k1_ec_pubkey_parse(secp256k1(), &key, bytes.data(), bytes.size()) != 1) return std::nullopt;
    return address_of(key);
}

bool is_valid_scalar(const Scalar& scalar) { return scalar != Scalar{} && scalar < order; }
bool is_low_s(const Scalar& s) { return s != Scalar{} && s <= half_order; }

// The negated s belongs to the point with the other parity.
Signature normalise(const Signature& signature) {
    if (!is_valid_scalar(signature.s) || is_low_s(signature.s)) return signature;
    return {.r = signature.r, .s = negated(signature.s), .y_parity = !signature.y_parity};
}

std::optional<Signature> complete(const Digest& digest, const Scalar& r, const Scalar& s, const Address& expected) {
    for (const bool y_parity : {false, true}) {
        const Signature signature = normalise({.r = r, .s = s, .y_parity = y_parity});
        if (recover(digest, signature) == expected) return signature;
    }
    return std::nullopt;
}

}  // namespace fencepost::codec
