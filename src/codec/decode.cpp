// Decodes raw bytes into a transaction, its signature and its sender. The bytes are untrusted.
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "codec/rlp.hpp"
#include "codec/transaction.hpp"
#include "codec/wire_type.hpp"

namespace fencepost::codec {
namespace {

// EIP-2681: the highest nonce is 2^64-2.
Nonce read_nonce(RlpReader& in) {
    const std::uint64_t nonce = in.uint64("nonce");
    if (nonce == std::numeric_limits<std::uint64_t>::max()) in.fail("nonce: must be below 2^64-1");
    return Nonce(nonce);
}

Wei read_wei(RlpReader& in, std::string_view name) { return Wei(in.uint256(name)); }

void read_to(RlpReader& in, std::optional<Address>& to) { to = in.optional_fixed<Address>("to"); }
void read_to(RlpReader& in, Address& to) { to = in.fixed<Address>("to"); }

AccessList read_access_list(RlpReader& in) {
    AccessList list;
    in.list("access list", [&list](RlpReader& items) {
        while (!items.at_end()) {
            AccessListEntry& entry = list.emplace_back();
            items.list(fmt::format("entry {}", list.size()), [&entry](RlpReader& item) {
                entry.address = item.fixed<Address>("address");
                item.list("storage keys", [&entry](RlpReader& keys) {
                    while (!keys.at_end())
                        entry.storage_keys.push_back(keys.fixed<StorageKey>("storage key"));
                });
            });
        }
    });
    return list;
}

std::vector<BlobHash> read_blob_hashes(RlpReader& in) {
    std::vector<BlobHash> hashes;
    in.list("blob hashes", [&hashes](RlpReader& items) {
        if (items.at_end()) items.fail("a blob transaction has at least one blob");
        while (!items.at_end()) {
            const auto& hash = hashes.emplace_back(items.fixed<BlobHash>("blob hash"));
            if (hash.data[0] != blob_hash_version) items.fail("blob hash: has an unknown version");
        }
    });
    return hashes;
}

Authorization read_authorization(RlpReader& in) {
    Authorization authorization;
    authorization.chain_id = in.uint256("chain id");
    authorization.address = in.fixed<Address>("address");
    authorization.nonce = in.uint64("nonce");
    const std::uint64_t y_parity = in.uint64("y parity");
    if (y_parity > std::numeric_limits<std::uint8_t>::max()) in.fail("y parity: must fit one byte");
    authorization.y_parity = static_cast<std::uint8_t>(y_parity);
    authorization.r = in.uint256("r");
    authorization.s = in.uint256("s");
    return authorization;
}

std::vector<Authorization> read_authorizations(RlpReader& in) {
    std::vector<Authorization> authorizations;
    in.list("authorizations", [&authorizations](RlpReader& items) {
        if (items.at_end()) items.fail("a set-code transaction has at least one authorization");
        while (!items.at_end()) {
            Authorization& authorization = authorizations.emplace_back();
            items.list(fmt::format("authorization {}", authorizations.size()),
                       [&authorization](RlpReader& item) { authorization = read_authorization(item); });
        }
    });
    return authorizations;
}

void read_call(RlpReader& in, auto& transaction) {
    transaction.gas_limit = Gas(in.uint64("gas limit"));
    read_to(in, transaction.to);
    transaction.value = read_wei(in, "value");
    transaction.data = to_bytes(in.bytes("data"));
}

void read_dynamic_fees(RlpReader& in, auto& transaction) {
    transaction.chain_id = in.uint64("chain id");
    transaction.nonce = read_nonce(in);
    transaction.max_priority_fee = read_wei(in, "max priority fee");
    transaction.max_fee = read_wei(in, "max fee");
    read_call(in, transaction);
    transaction.access_list = read_access_list(in);
}

void read_fields(RlpReader& in, LegacyTransaction& transaction) {
    transaction.nonce = read_nonce(in);
    transaction.gas_price = read_wei(in, "gas price");
    read_call(in, transaction);
}

void read_fields(RlpReader& in, AccessListTransaction& transaction) {
    transaction.chain_id = in.uint64("chain id");
    transaction.nonce = read_nonce(in);
    transaction.gas_price = read_wei(in, "gas price");
    read_call(in, transaction);
    transaction.access_list = read_access_list(in);
}

void read_fields(RlpReader& in, DynamicFeeTransaction& transaction) { read_dynamic_fees(in, transaction); }

void read_fields(RlpReader& in, BlobTransaction& transaction) {
    read_dynamic_fees(in, transaction);
    transaction.max_fee_per_blob_gas = read_wei(in, "max fee per blob gas");
    transaction.blob_hashes = read_blob_hashes(in);
}

void read_fields(RlpReader& in, SetCodeTransaction& transaction) {
    read_dynamic_fees(in, transaction);
    transaction.authorizations = read_authorizations(in);
}

// In a legacy transaction v also contains the chain id (EIP-155).
bool read_parity(RlpReader& in, LegacyTransaction& transaction) {
    const Uint256 v = in.uint256("v");
    if (in.error()) return false;
    if (v == Uint256(27) || v == Uint256(28)) return v == Uint256(28);
    const auto chain_and_parity = Uint256::checked_sub(v, Uint256(35));
    const auto chain_id = chain_and_parity ? (*chain_and_parity / Uint256(2)).to_uint64() : std::nullopt;
    if (!chain_id) {
        in.fail(fmt::format("v: {} is neither 27 or 28, nor a parity and a chain id below 2^64", v));
        return false;
    }
    transaction.chain_id = chain_id;
    return *chain_and_parity % Uint256(2) == Uint256(1);
}

bool read_parity(RlpReader& in, auto& /*transaction*/) {
    const std::uint64_t parity = in.uint64("y parity");
    if (parity > 1) in.fail(fmt::format("y parity: is {}, but must be 0 or 1", parity));
    return parity == 1;
}

Signature read_signature(RlpReader& in, bool y_parity) {
    const Signature signature{
        .r = in.uint256("r").to_big_endian(), .s = in.uint256("s").to_big_endian(), .y_parity = y_parity};
    if (!is_valid_scalar(signature.r)) in.fail("r: must be above 0 and below the order of the curve");
    if (!is_low_s(signature.s)) in.fail("s: must be above 0 and at most half the order of the curve (EIP-2)");
    return signature;
}

template <typename T>
Result<Decoded, ParseError> decode_as(ByteView raw) {
    T transaction;
    Signature signature;
    RlpReader in(wire_type<T> == 0 ? raw : raw.subspan(1));
    in.list("fields", [&](RlpReader& fields) {
        read_fields(fields, transaction);
        const bool y_parity = read_parity(fields, transaction);
        signature = read_signature(fields, y_parity);
    });
    in.expect_end("the transaction");

    Decoded decoded{.transaction = std::move(transaction), .signature = signature, .hash = hash_of(raw), .sender = {}};
    const auto type = type_name(decoded.transaction);
    if (in.error()) return err(ParseError{fmt::format("not a valid {} transaction: {}", type, in.error()->what)});
    const auto sender = recover(signing_digest(decoded.transaction), signature);
    if (!sender) return err(ParseError{fmt::format("not a valid {} transaction: no signer can be recovered", type)});
    decoded.sender = *sender;
    return decoded;
}

}  // namespace

Result<Decoded, ParseError> decode(ByteView raw) {
    if (raw.empty()) return err(ParseError{"not a transaction: no bytes"});
    const std::uint8_t first = raw.front();
    if (first >= 0xc0) return decode_as<LegacyTransaction>(raw);
    switch (first) {
        case wire_type<AccessListTransaction>:
            return decode_as<AccessListTransaction>(raw);
        case wire_type<DynamicFeeTransaction>:
            return decode_as<DynamicFeeTransaction>(raw);
        case wire_type<BlobTransaction>:
            return decode_as<BlobTransaction>(raw);
        case wire_type<SetCodeTransaction>:
            return decode_as<SetCodeTransaction>(raw);
        default:
            return err(ParseError{fmt::format("not a transaction: unknown type 0x{:02x} in the first byte", first)});
    }
}

}  // namespace fencepost::codec
