// What a node says, as our own types. A node may be old, odd or hostile: every reader checks form and range, and says
// which field it could not take; none throws. Writers are here, too, so that a form is spelt once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/uint256.hpp"
#include "domain/address.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using Json = boost::json::value;

template <typename T>
using Parsed = Result<T, ParseError>;

// `field` is what the error calls the value.

/// "0x" and 1 to 64 digits. Leading zeros are forbidden by the specification and let through all the same: some nodes
/// write them, and they leave no doubt.
[[nodiscard]] Parsed<Uint256> read_quantity(const Json& json, std::string_view field);
[[nodiscard]] Parsed<std::uint64_t> read_uint64(const Json& json, std::string_view field);
/// "0x" and an even number of digits.
[[nodiscard]] Parsed<Bytes> read_data(const Json& json, std::string_view field);
[[nodiscard]] Parsed<TxHash> read_tx_hash(const Json& json, std::string_view field);
[[nodiscard]] Parsed<BlockHash> read_block_hash(const Json& json, std::string_view field);
/// In whichever case: nodes of some chains have checksums of their own.
[[nodiscard]] Parsed<Address> read_address(const Json& json, std::string_view field);

/// The value of a field; JSON null when it is not there or this is no object.
[[nodiscard]] const Json& field_of(const Json& json, std::string_view name);

/// null is "not there". Takes blocks with hashes and blocks with whole transactions.
[[nodiscard]] Parsed<std::optional<Block>> read_block(const Json& json);

/// null, or a receipt without a block (some nodes give one for a waiting transaction), is "not there". A receipt
/// without a status (before Byzantium it had a state root instead) does not say whether it succeeded, so it cannot be
/// taken. A missing price (before London) is read as 0.
[[nodiscard]] Parsed<std::optional<Receipt>> read_receipt(const Json& json);

/// A transaction as a node shows it, as far as it says whose nonce it uses and where.
struct SeenTransaction {
    TxHash hash;
    Address from;
    Nonce nonce;
    /// Of the block it is in; none while it waits.
    Sighting where;

    friend bool operator==(const SeenTransaction&, const SeenTransaction&) = default;
};
/// null is "not there".
[[nodiscard]] Parsed<std::optional<SeenTransaction>> read_transaction(const Json& json);
/// The transactions of a block that was asked for with whole transactions; null is "not there".
[[nodiscard]] Parsed<std::optional<std::vector<SeenTransaction>>> read_block_transactions(const Json& json);

[[nodiscard]] Json write_quantity(const Uint256& value);
[[nodiscard]] Json write_number(BlockNumber number);
[[nodiscard]] Json write_data(ByteView bytes);
[[nodiscard]] Json write_tag(At at);

}  // namespace fencepost::evm
