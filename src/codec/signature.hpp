// Keys and signatures on secp256k1. A key cannot leak by accident: it cannot be copied or printed, it is wiped on
// destruction, and no error mentions it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "domain/address.hpp"

namespace fencepost::codec {

/// The hash to be signed.
using Digest = FixedBytes<32, struct DigestTag>;
/// An integer modulo the curve order, big-endian.
using Scalar = std::array<std::uint8_t, 32>;

struct Signature {
    Scalar r{};
    Scalar s{};
    bool y_parity = false;

    friend bool operator==(const Signature&, const Signature&) = default;
};

class PrivateKey {
public:
    /// Refuses anything but 32 bytes, zero, and values not below the curve order. The error is free of the key.
    [[nodiscard]] static Result<PrivateKey, ParseError> from_bytes(ByteView secret);
    /// 64 digits, with or without "0x".
    [[nodiscard]] static Result<PrivateKey, ParseError> from_hex(std::string_view text);

    PrivateKey(PrivateKey&& other) noexcept;
    PrivateKey& operator=(PrivateKey&& other) noexcept;
    PrivateKey(const PrivateKey&) = delete;
    PrivateKey& operator=(const PrivateKey&) = delete;
    ~PrivateKey();

    [[nodiscard]] const Address& address() const { return address_; }
    /// Deterministic (RFC 6979), with the lower of the two possible s (EIP-2). Must not be called on a moved-from key.
    [[nodiscard]] Signature sign(const Digest& digest) const;

    /// The raw 32 bytes, for writing key files. The caller must wipe every copy.
    [[nodiscard]] ByteView expose_secret() const { return secret_; }

private:
    PrivateKey() = default;

    Scalar secret_{};
    Address address_;
};

/// The signer; empty when none can be recovered. Accepts a high s: see is_low_s.
[[nodiscard]] std::optional<Address> recover(const Digest& digest, const Signature& signature);

/// Takes an uncompressed public key: 64 bytes, or 65 starting with 0x04. Empty for other lengths, or when the point is
/// not on the curve.
[[nodiscard]] std::optional<Address> address_of_public_key(ByteView public_key);

/// From 1 up to half the curve order. Exactly one of s and its negative is; Ethereum accepts only that one (EIP-2).
[[nodiscard]] bool is_low_s(const Scalar& s);
/// From 1 to below the curve order.
[[nodiscard]] bool is_valid_scalar(const Scalar& scalar);
/// The same signature with the low s. An invalid signature stays unchanged.
[[nodiscard]] Signature normalise(const Signature& signature);
/// Builds an Ethereum signature from an HSM's answer: the low s, and the parity for which `expected` is the signer.
/// Empty when neither parity matches.
[[nodiscard]] std::optional<Signature> complete(const Digest& digest, const Scalar& r, const Scalar& s,
                                                const Address& expected);

}  // namespace fencepost::codec
