// Encodes transactions into the bytes that are signed and the bytes that are sent.
#include <limits>
#include <type_traits>

#include "base/crypto/keccak.hpp"
#include "codec/rlp.hpp"
#include "codec/transaction.hpp"
#include "codec/wire_type.hpp"

namespace fencepost::codec {
namespace {

void append(RlpWriter& out, const std::optional<Address>& to) { out.bytes(to ? to->view() : ByteView{}); }

void append(RlpWriter& out, const AccessList& entries) {
    const auto list = out.begin_list();
    for (const auto& entry : entries) {
        const auto item = out.begin_list();
        out.bytes(entry.address.view());
        const auto keys = out.begin_list();
        for (const auto& key : entry.storage_keys)
            out.bytes(key.view());
        out.end_list(keys);
        out.end_list(item);
    }
    out.end_list(list);
}

void append(RlpWriter& out, const std::vector<BlobHash>& hashes) {
    const auto list = out.begin_list();
    for (const auto& hash : hashes)
        out.bytes(hash.view());
    out.end_list(list);
}

void append_unsigned(RlpWriter& out, const Authorization& authorization) {
    out.integer(authorization.chain_id);
    out.bytes(authorization.address.view());
    out.integer(authorization.nonce);
}

void append(RlpWriter& out, const std::vector<Authorization>& authorizations) {
    const auto list = out.begin_list();
    for (const auto& authorization : authorizations) {
        const auto item = out.begin_list();
        append_unsigned(out, authorization);
        out.integer(std::uint64_t{authorization.y_parity});
        out.integer(authorization.r);
        out.integer(authorization.s);
        out.end_list(item);
    }
    out.end_list(list);
}

void append_call(RlpWriter& out, const auto& transaction) {
    out.integer(transaction.gas_limit.value());
    append(out, std::optional<Address>(transaction.to));
    out.integer(transaction.value.value());
    out.bytes(transaction.data);
}

void append_dynamic_fees(RlpWriter& out, const auto& transaction) {
    out.integer(transaction.chain_id);
    out.integer(transaction.nonce.value());
    out.integer(transaction.max_priority_fee.value());
    out.integer(transaction.max_fee.value());
    append_call(out, transaction);
    append(out, transaction.access_list);
}

void append_fields(RlpWriter& out, const LegacyTransaction& transaction) {
    out.integer(transaction.nonce.value());
    out.integer(transaction.gas_price.value());
    append_call(out, transaction);
}

void append_fields(RlpWriter& out, const AccessListTransaction& transaction) {
    out.integer(transaction.chain_id);
    out.integer(transaction.nonce.value());
    out.integer(transaction.gas_price.value());
    append_call(out, transaction);
    append(out, transaction.access_list);
}

void append_fields(RlpWriter& out, const DynamicFeeTransaction& transaction) { append_dynamic_fees(out, transaction); }

void append_fields(RlpWriter& out, const BlobTransaction& transaction) {
    append_dynamic_fees(out, transaction);
    out.integer(transaction.max_fee_per_blob_gas.value());
    append(out, transaction.blob_hashes);
}

void append_fields(RlpWriter& out, const SetCodeTransaction& transaction) {
    append_dynamic_fees(out, transaction);
    append(out, transaction.authorizations);
}

// EIP-155: the chain id is signed in the place of the missing signature.
void append_chain_id(RlpWriter& out, const LegacyTransaction& transaction) {
    if (!transaction.chain_id) return;
    out.integer(*transaction.chain_id);
    out.integer(std::uint64_t{0});
    out.integer(std::uint64_t{0});
}
void append_chain_id(RlpWriter& /*out*/, const auto& /*transaction*/) {}

// EIP-155: {0, 1} + 2 × chain id + 35; before it, {0, 1} + 27.
void append_parity(RlpWriter& out, const LegacyTransaction& transaction, bool y_parity) {
    const std::uint64_t parity = y_parity ? 1 : 0;
    if (!transaction.chain_id) {
        out.integer(27 + parity);
    } else if (*transaction.chain_id <= std::numeric_limits<std::uint32_t>::max()) {
        out.integer(35 + parity + 2 * *transaction.chain_id);
    } else {
        out.integer(Uint256(35 + parity) + Uint256(2) * Uint256(*transaction.chain_id));
    }
}
void append_parity(RlpWriter& out, const auto& /*transaction*/, bool y_parity) {
    out.integer(std::uint64_t{y_parity ? 1U : 0U});
}

template <typename T>
RlpWriter writer_for(const T& transaction) {
    static constexpr std::size_t all_but_data = 256;  // a long access list needs more, which is rare
    RlpWriter out(all_but_data + transaction.data.size());
    if constexpr (wire_type<T> != 0) out.raw(wire_type<T>);
    return out;
}

Digest digest_of(ByteView bytes) { return Digest{keccak256(bytes)}; }

}  // namespace

Digest signing_digest(const Transaction& transaction) {
    const auto digest = [](const auto& alternative) {
        RlpWriter out = writer_for(alternative);
        const auto list = out.begin_list();
        append_fields(out, alternative);
        append_chain_id(out, alternative);
        out.end_list(list);
        return digest_of(out.view());
    };
    return std::visit(digest, transaction);
}

Bytes encode(const Transaction& transaction, const Signature& signature) {
    const auto bytes = [&signature](const auto& alternative) {
        RlpWriter out = writer_for(alternative);
        const auto list = out.begin_list();
        append_fields(out, alternative);
        append_parity(out, alternative, signature.y_parity);
        out.big_endian(signature.r);
        out.big_endian(signature.s);
        out.end_list(list);
        return std::move(out).take();
    };
    return std::visit(bytes, transaction);
}

TxHash hash_of(ByteView raw) { return TxHash{keccak256(raw)}; }

// EIP-7702: its own leading byte keeps an authorization from being mistaken for a transaction.
Digest signing_digest(const Authorization& authorization) {
    static constexpr std::uint8_t magic = 5;
    RlpWriter out;
    out.raw(magic);
    const auto list = out.begin_list();
    append_unsigned(out, authorization);
    out.end_list(list);
    return digest_of(out.view());
}

}  // namespace fencepost::codec
