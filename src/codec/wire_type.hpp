// The type byte of a typed transaction (EIP-2718). Private to this module.
#pragma once

#include <cstdint>

#include "codec/transaction.hpp"

namespace fencepost::codec {

/// Empty for a legacy transaction, which starts with a list header of 0xc0 or above.
template <typename T>
inline constexpr std::uint8_t wire_type = 0;
template <>
inline constexpr std::uint8_t wire_type<AccessListTransaction> = 1;
template <>
inline constexpr std::uint8_t wire_type<DynamicFeeTransaction> = 2;
template <>
inline constexpr std::uint8_t wire_type<BlobTransaction> = 3;
template <>
inline constexpr std::uint8_t wire_type<SetCodeTransaction> = 4;

/// First byte of the versioned hash of a blob's KZG commitment (EIP-4844); no other version exists.
inline constexpr std::uint8_t blob_hash_version = 1;

}  // namespace fencepost::codec
