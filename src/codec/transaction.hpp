// Unsigned Ethereum transactions as values. Each type follows its EIP; members are in wire order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/uint256.hpp"
#include "codec/signature.hpp"
#include "domain/address.hpp"
#include "domain/ids.hpp"

namespace fencepost::codec {

using StorageKey = FixedBytes<32, struct StorageKeyTag>;
/// The versioned hash of a blob (EIP-4844); the blob itself travels next to the transaction.
using BlobHash = FixedBytes<32, struct BlobHashTag>;

struct AccessListEntry {
    Address address;
    std::vector<StorageKey> storage_keys;
    friend bool operator==(const AccessListEntry&, const AccessListEntry&) = default;
};
using AccessList = std::vector<AccessListEntry>;

/// The original type, still used on chains without EIP-1559. With a chain id it is signed according to EIP-155;
/// without, it is valid on every chain.
struct LegacyTransaction {
    std::optional<std::uint64_t> chain_id;
    Nonce nonce;
    Wei gas_price;
    Gas gas_limit;
    std::optional<Address> to;
    Wei value;
    Bytes data;
    friend bool operator==(const LegacyTransaction&, const LegacyTransaction&) = default;
};

/// EIP-2930.
struct AccessListTransaction {
    std::uint64_t chain_id = 0;
    Nonce nonce;
    Wei gas_price;
    Gas gas_limit;
    std::optional<Address> to;
    Wei value;
    Bytes data;
    AccessList access_list;
    friend bool operator==(const AccessListTransaction&, const AccessListTransaction&) = default;
};

/// EIP-1559.
struct DynamicFeeTransaction {
    std::uint64_t chain_id = 0;
    Nonce nonce;
    Wei max_priority_fee;
    Wei max_fee;
    Gas gas_limit;
    std::optional<Address> to;
    Wei value;
    Bytes data;
    AccessList access_list;
    friend bool operator==(const DynamicFeeTransaction&, const DynamicFeeTransaction&) = default;
};

/// EIP-4844, without the sidecar of blobs, commitments and proofs.
struct BlobTransaction {
    std::uint64_t chain_id = 0;
    Nonce nonce;
    Wei max_priority_fee;
    Wei max_fee;
    Gas gas_limit;
    Address to;
    Wei value;
    Bytes data;
    AccessList access_list;
    Wei max_fee_per_blob_gas;
    std::vector<BlobHash> blob_hashes;
    friend bool operator==(const BlobTransaction&, const BlobTransaction&) = default;
};

/// An account's permission to run the code of `address` in its name (EIP-7702). The signature is only carried: the
/// chain skips an invalid one without making the transaction invalid.
struct Authorization {
    Uint256 chain_id;  // 0: on every chain
    Address address;
    std::uint64_t nonce = 0;
    std::uint8_t y_parity = 0;
    Uint256 r;
    Uint256 s;
    friend bool operator==(const Authorization&, const Authorization&) = default;
};

/// EIP-7702.
struct SetCodeTransaction {
    std::uint64_t chain_id = 0;
    Nonce nonce;
    Wei max_priority_fee;
    Wei max_fee;
    Gas gas_limit;
    Address to;
    Wei value;
    Bytes data;
    AccessList access_list;
    std::vector<Authorization> authorizations;
    friend bool operator==(const SetCodeTransaction&, const SetCodeTransaction&) = default;
};

using Transaction =
    std::variant<LegacyTransaction, AccessListTransaction, DynamicFeeTransaction, BlobTransaction, SetCodeTransaction>;

/// For messages: "legacy", "EIP-1559"…
[[nodiscard]] std::string_view type_name(const Transaction& transaction);

/// The hash that the sender signs.
[[nodiscard]] Digest signing_digest(const Transaction& transaction);
/// The bytes for eth_sendRawTransaction.
[[nodiscard]] Bytes encode(const Transaction& transaction, const Signature& signature);
[[nodiscard]] TxHash hash_of(ByteView raw);

/// The hash that the authorizing account signs.
[[nodiscard]] Digest signing_digest(const Authorization& authorization);
/// `authorization` with the signature of `key`.
[[nodiscard]] Authorization authorize(Authorization authorization, const PrivateKey& key);
/// The authorizing account; empty when the signature is one that the chain would skip.
[[nodiscard]] std::optional<Address> authority_of(const Authorization& authorization);

struct Decoded {
    Transaction transaction;
    Signature signature;
    TxHash hash;
    Address sender;
};

/// Accepts only a signed transaction of one of the types above, exactly as its EIP specifies: encode() of the result is
/// `raw` again. Refuses what every node refuses for its form (a high s, a nonce of 2^64-1, blobs without a
/// destination); does not check whether it can be paid for or mined.
[[nodiscard]] Result<Decoded, ParseError> decode(ByteView raw);

}  // namespace fencepost::codec
