// Keys and signatures on secp256k1. A key never leaves its object by accident: it cannot be copied or printed, it is
// wiped when it goes, and no error mentions it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "domain/address.hpp"

namespace fencepost::codec {

/// The hash that is signed.
using Digest = FixedBytes<32, struct DigestTag>;
/// An integer modulo the order of the curve, the most significant byte first.
using Scalar = std::array<std::uint8_t, 32>;

struct Signature {
    Scalar r{};
    Scalar s{};
    bool y_parity = false;

    friend bool operator==(const Signature&, const Signature&) = default;
};

class PrivateKey {
public:
    /// Refuses all that is not 32 bytes, zero, and what is not below the order of the curve. The error is free of the
    /// key.
    [[nodiscard]] static Result<PrivateKey, ParseError> from_bytes(ByteView secret);
    /// 64 digits, with or without "0x".
    [[nodiscard]] static Result<PrivateKey, ParseError> from_hex(std::string_view text);

    PrivateKey(PrivateKey&& other) noexcept;
    PrivateKey& operator=(PrivateKey&& other) noexcept;
    PrivateKey(const PrivateKey&) = delete;
    PrivateKey& operator=(const PrivateKey&) = delete;
    ~PrivateKey();

    [[nodiscard]] const Address& address() const { return address_; }
    /// Deterministic (RFC 6979), with the lower of the two possible s (EIP-2). Not after a move from this key.
    [[nodiscard]] Signature sign(const Digest& digest) const;

    /// The 32 bytes themselves, for those who write key files. Whoever copies them wipes the copy.
    [[nodiscard]] ByteView expose_secret() const { return secret_; }

private:
    PrivateKey() = default;

    Scalar secret_{};
    Address address_;
};

/// Who made the signature; nothing when nobody can have. A high s is taken: see is_low_s.
[[nodiscard]] std::optional<Address> recover(const Digest& digest, const Signature& signature);

/// Of an uncompressed public key: 64 bytes, or 65 that start with 0x04. Nothing for other lengths, or when the point is
/// not on the curve.
[[nodiscard]] std::optional<Address> address_of_public_key(ByteView public_key);

/// From 1 up to half the order of the curve. Of s and its negative exactly one is; Ethereum takes only that (EIP-2).
[[nodiscard]] bool is_low_s(const Scalar& s);
/// From 1 up to, and without, the order of the curve.
[[nodiscard]] bool is_valid_scalar(const Scalar& scalar);
/// The same signature with the low s. A signature that is not valid stays as it is.
[[nodiscard]] Signature normalise(const Signature& signature);
/// Makes a signature of Ethereum's from what an HSM answers: the low s, and the parity with which `expected` is the
/// signer. Nothing when it is the signer with neither.
[[nodiscard]] std::optional<Signature> complete(const Digest& digest, const Scalar& r, const Scalar& s,
                                                const Address& expected);

}  // namespace fencepost::codec
