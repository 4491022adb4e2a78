// Converts node JSON to domain types and back. A node may be outdated, non-standard or hostile: every reader checks
// format and range and names the field that it rejects; none throws. Writers live here too, so that each format is
// defined once.
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

// `field` is the name of the value in error messages.

/// "0x" and 1 to 64 digits. The specification forbids leading zeros, but some nodes write them and they are
/// unambiguous.
[[nodiscard]] Parsed<Uint256> read_quantity(const Json& json, std::string_view field);
[[nodiscard]] Parsed<std::uint64_t> read_uint64(const Json& json, std::string_view field);
/// "0x" and an even number of digits.
[[nodiscard]] Parsed<Bytes> read_data(const Json& json, std::string_view field);
[[nodiscard]] Parsed<TxHash> read_tx_hash(const Json& json, std::string_view field);
[[nodiscard]] Parsed<BlockHash> read_block_hash(const Json& json, std::string_view field);
/// In any case: some chains use their own checksums.
[[nodiscard]] Parsed<Address> read_address(const Json& json, std::string_view field);

/// The value of a field; JSON null when the field is missing or `json` is not an object.
[[nodiscard]] const Json& field_of(const Json& json, std::string_view name);

/// null means "not found". Accepts blocks with hashes and blocks with full transactions.
[[nodiscard]] Parsed<std::optional<Block>> read_block(const Json& json);

/// null means "not found", and so does a receipt without a block (some nodes return one for a pending transaction). A
/// receipt without a status (before Byzantium it had a state root) is rejected: it does not tell success from failure.
/// A missing gas price (before London) is read as 0.
[[nodiscard]] Parsed<std::optional<Receipt>> read_receipt(const Json& json);

/// The fields of a transaction that identify whose nonce it uses and where.
struct SeenTransaction {
    TxHash hash;
    Address from;
    Nonce nonce;
    /// The block that contains it; empty while pending.
    TxLocation where;

    friend bool operator==(const SeenTransaction&, const SeenTransaction&) = default;
};
/// null means "not found".
[[nodiscard]] Parsed<std::optional<SeenTransaction>> read_transaction(const Json& json);
/// The transactions of a block requested with full transactions; null means "not found".
[[nodiscard]] Parsed<std::optional<std::vector<SeenTransaction>>> read_block_transactions(const Json& json);

[[nodiscard]] Json write_quantity(const Uint256& value);
[[nodiscard]] Json write_number(BlockNumber number);
[[nodiscard]] Json write_data(ByteView bytes);
[[nodiscard]] Json write_tag(At at);

}  // namespace fencepost::evm
