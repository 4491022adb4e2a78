// Validating readers and writers of node JSON.
#include "evm/json_values.hpp"

#include <limits>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::evm {
namespace {

constexpr std::size_t quantity_digits = 64;

auto invalid_value(std::string_view field, std::string_view why) {
    return err(ParseError{fmt::format("{} {}", field, why)});
}

std::optional<std::string_view> hex_digits_of(const Json& json) {
    const auto* text = json.if_string();
    if (text == nullptr || !std::string_view(*text).starts_with("0x")) return std::nullopt;
    return std::string_view(*text).substr(2);
}

template <typename Fixed>
Parsed<Fixed> read_fixed(const Json& json, std::string_view field) {
    const auto bytes = read_data(json, field);
    if (!bytes) return err(bytes.error());
    const auto fixed = Fixed::from(*bytes);
    if (!fixed) return invalid_value(field, fmt::format("has {} bytes instead of {}", bytes->size(), Fixed::length));
    return *fixed;
}

Parsed<UnixTime> read_time(const Json& json, std::string_view field) {
    const auto seconds = read_uint64(json, field);
    if (!seconds) return err(seconds.error());
    constexpr auto most = std::chrono::floor<std::chrono::seconds>(UnixTime::max()).time_since_epoch().count();
    if (*seconds > static_cast<std::uint64_t>(most)) return invalid_value(field, "is out of range");
    return UnixTime(std::chrono::seconds(static_cast<std::int64_t>(*seconds)));
}

Parsed<BlockRef> read_ref(const Json& json) {
    const auto number = read_uint64(field_of(json, "number"), "block.number");
    if (!number) return err(number.error());
    const auto hash = read_block_hash(field_of(json, "hash"), "block.hash");
    if (!hash) return err(hash.error());
    const auto parent = read_block_hash(field_of(json, "parentHash"), "block.parentHash");
    if (!parent) return err(parent.error());
    return BlockRef{BlockNumber(*number), *hash, *parent};
}

Parsed<std::vector<TxHash>> read_hashes(const Json& json) {
    const auto* list = json.if_array();
    if (list == nullptr) return invalid_value("block.transactions", "is not a list");
    std::vector<TxHash> hashes;
    hashes.reserve(list->size());
    for (const auto& item : *list) {
        const auto hash = read_tx_hash(item.is_object() ? field_of(item, "hash") : item, "block.transactions[].hash");
        if (!hash) return err(hash.error());
        hashes.push_back(*hash);
    }
    return hashes;
}

Parsed<std::optional<Wei>> read_optional_wei(const Json& json, std::string_view field) {
    if (json.is_null()) return std::nullopt;
    const auto value = read_quantity(json, field);
    if (!value) return err(value.error());
    return Wei(*value);
}

// Both number and hash, or neither.
Parsed<TxLocation> read_place(const Json& json) {
    const auto& number_json = field_of(json, "blockNumber");
    const auto& hash_json = field_of(json, "blockHash");
    if (number_json.is_null() || hash_json.is_null()) return TxLocation{};
    const auto number = read_uint64(number_json, "blockNumber");
    if (!number) return err(number.error());
    const auto hash = read_block_hash(hash_json, "blockHash");
    if (!hash) return err(hash.error());
    return TxLocation{BlockNumber(*number), *hash};
}

Parsed<bool> read_status(const Json& json) {
    if (json.is_null()) return invalid_value("receipt.status", "is missing: success or failure unknown");
    const auto status = read_uint64(json, "receipt.status");
    if (!status) return err(status.error());
    if (*status > 1) return invalid_value("receipt.status", "is neither 0 nor 1");
    return *status == 1;
}

Parsed<std::optional<std::string>> read_contract(const Json& json) {
    if (json.is_null()) return std::nullopt;
    const auto address = read_address(json, "receipt.contractAddress");
    if (!address) return err(address.error());
    return address->to_lower();
}

// The part of a receipt that tells the outcome.
Status<ParseError> read_outcome(const Json& json, Receipt& receipt) {
    const auto succeeded = read_status(field_of(json, "status"));
    if (!succeeded) return err(succeeded.error());
    const auto gas_used = read_uint64(field_of(json, "gasUsed"), "receipt.gasUsed");
    if (!gas_used) return err(gas_used.error());
    const auto price = read_optional_wei(field_of(json, "effectiveGasPrice"), "receipt.effectiveGasPrice");
    if (!price) return err(price.error());
    const auto contract = read_contract(field_of(json, "contractAddress"));
    if (!contract) return err(contract.error());
    receipt.succeeded = *succeeded;
    receipt.gas_used = Gas(*gas_used);
    receipt.effective_gas_price = price->value_or(Wei{});
    receipt.contract = *contract;
    return {};
}

}  // namespace

const Json& field_of(const Json& json, std::string_view name) {
    static const Json null;
    const auto* object = json.if_object();
    if (object == nullptr) return null;
    const auto* value = object->if_contains(name);
    return value == nullptr ? null : *value;
}

Parsed<Uint256> read_quantity(const Json& json, std::string_view field) {
    const auto digits = hex_digits_of(json);
    if (!digits) return invalid_value(field, "is not a hexadecimal quantity");
    if (digits->empty() || digits->size() > quantity_digits) return invalid_value(field, "has no digits or too many");
    const auto value = Uint256::parse(std::string_view(json.get_string()));
    if (!value) return invalid_value(field, "is not a hexadecimal quantity");
    return *value;
}

Parsed<std::uint64_t> read_uint64(const Json& json, std::string_view field) {
    const auto value = read_quantity(json, field);
    if (!value) return err(value.error());
    const auto small = value->to_uint64();
    if (!small) return invalid_value(field, "exceeds 64 bits");
    return *small;
}

Parsed<Bytes> read_data(const Json& json, std::string_view field) {
    const auto digits = hex_digits_of(json);
    if (!digits) return invalid_value(field, "is not hexadecimal data");
    // from_hex() would accept a second "0x" prefix.
    if (digits->find_first_of("xX") != std::string_view::npos) return invalid_value(field, "is not hexadecimal data");
    auto bytes = from_hex(*digits);
    if (!bytes) return invalid_value(field, "is not hexadecimal data");
    return std::move(*bytes);
}

Parsed<TxHash> read_tx_hash(const Json& json, std::string_view field) { return read_fixed<TxHash>(json, field); }
Parsed<BlockHash> read_block_hash(const Json& json, std::string_view field) {
    return read_fixed<BlockHash>(json, field);
}
Parsed<Address> read_address(const Json& json, std::string_view field) {
    const auto bytes = read_fixed<FixedBytes<Address::length, AddressTag>>(json, field);
    if (!bytes) return err(bytes.error());
    return Address{*bytes};
}

Parsed<std::optional<Block>> read_block(const Json& json) {
    if (json.is_null()) return std::nullopt;
    if (!json.is_object()) return invalid_value("block", "is not an object");
    const auto ref = read_ref(json);
    if (!ref) return err(ref.error());
    const auto time = read_time(field_of(json, "timestamp"), "block.timestamp");
    if (!time) return err(time.error());
    const auto base_fee = read_optional_wei(field_of(json, "baseFeePerGas"), "block.baseFeePerGas");
    if (!base_fee) return err(base_fee.error());
    auto hashes = read_hashes(field_of(json, "transactions"));
    if (!hashes) return err(hashes.error());
    return Block{*ref, *time, *base_fee, std::move(*hashes)};
}

Parsed<std::optional<Receipt>> read_receipt(const Json& json) {
    if (json.is_null()) return std::nullopt;
    if (!json.is_object()) return invalid_value("receipt", "is not an object");
    const auto place = read_place(json);
    if (!place) return err(place.error());
    if (!place->block_number) return std::nullopt;
    const auto hash = read_tx_hash(field_of(json, "transactionHash"), "receipt.transactionHash");
    if (!hash) return err(hash.error());
    Receipt receipt{.hash = *hash,
                    .block_number = *place->block_number,
                    .block_hash = *place->block_hash,
                    .succeeded = false,
                    .gas_used = {},
                    .effective_gas_price = {},
                    .contract = {}};
    if (const auto outcome = read_outcome(json, receipt); !outcome) return err(outcome.error());
    return receipt;
}

Parsed<std::optional<SeenTransaction>> read_transaction(const Json& json) {
    if (json.is_null()) return std::nullopt;
    if (!json.is_object()) return invalid_value("transaction", "is not an object");
    const auto hash = read_tx_hash(field_of(json, "hash"), "transaction.hash");
    if (!hash) return err(hash.error());
    const auto from = read_address(field_of(json, "from"), "transaction.from");
    if (!from) return err(from.error());
    const auto nonce = read_uint64(field_of(json, "nonce"), "transaction.nonce");
    if (!nonce) return err(nonce.error());
    const auto place = read_place(json);
    if (!place) return err(place.error());
    return SeenTransaction{*hash, *from, Nonce(*nonce), *place};
}

Parsed<std::optional<std::vector<SeenTransaction>>> read_block_transactions(const Json& json) {
    if (json.is_null()) return std::nullopt;
    const auto* list = field_of(json, "transactions").if_array();
    if (list == nullptr) return invalid_value("block.transactions", "is not a list");
    std::vector<SeenTransaction> transactions;
    transactions.reserve(list->size());
    for (const auto& item : *list) {
        const auto transaction = read_transaction(item);
        if (!transaction) return err(transaction.error());
        if (!*transaction) return invalid_value("block.transactions[]", "is null");
        transactions.push_back(**transaction);
    }
    return transactions;
}

Json write_quantity(const Uint256& value) { return Json(value.to_quantity()); }
Json write_number(BlockNumber number) { return write_quantity(number.value()); }
Json write_data(ByteView bytes) { return Json(to_hex_prefixed(bytes)); }
Json write_tag(At at) { return Json(name_of(at)); }

}  // namespace fencepost::evm
