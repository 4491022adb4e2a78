// Formats every field of a decoded transaction.
#include "describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/hex.hpp"

namespace fencepost::codec::test {
namespace {

std::string text_of(const std::optional<Address>& address) { return address ? address->to_lower() : "none"; }

template <typename T>
std::string list(const std::vector<T>& items, auto one) {
    std::vector<std::string> texts;
    texts.reserve(items.size());
    for (const auto& item : items)
        texts.push_back(one(item));
    return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string fixed(const auto& bytes) { return to_hex_prefixed(bytes.view()); }

std::string text_of(const AccessListEntry& entry) {
    return entry.address.to_lower() + list(entry.storage_keys, [](const auto& key) { return fixed(key); });
}

std::string text_of(const Authorization& given) {
    return fmt::format("{}:{}:{}:{}:{}:{}", given.chain_id, given.address.to_lower(), given.nonce, given.y_parity,
                       to_hex_prefixed(given.r.to_big_endian()), to_hex_prefixed(given.s.to_big_endian()));
}

std::string price(const auto& transaction) {
    if constexpr (requires { transaction.gas_price; }) {
        return fmt::format("price={}", transaction.gas_price);
    } else {
        return fmt::format("tip={} max={}", transaction.max_priority_fee, transaction.max_fee);
    }
}

std::string call(const auto& transaction) {
    return fmt::format("gas={} to={} value={} data={}", transaction.gas_limit,
                       text_of(std::optional<Address>(transaction.to)), transaction.value,
                       to_hex_prefixed(transaction.data));
}

std::string access(const auto& transaction) {
    return " access=" + list(transaction.access_list, [](const auto& entry) { return text_of(entry); });
}

std::string extras(const LegacyTransaction& /*transaction*/) { return ""; }
std::string extras(const AccessListTransaction& transaction) { return access(transaction); }
std::string extras(const DynamicFeeTransaction& transaction) { return access(transaction); }
std::string extras(const BlobTransaction& transaction) {
    return fmt::format("{} blobfee={} blobs={}", access(transaction), transaction.max_fee_per_blob_gas,
                       list(transaction.blob_hashes, [](const auto& hash) { return fixed(hash); }));
}
std::string extras(const SetCodeTransaction& transaction) {
    return fmt::format("{} authorizations={}", access(transaction),
                       list(transaction.authorizations, [](const auto& given) { return text_of(given); }));
}

std::string chain(const LegacyTransaction& transaction) {
    return transaction.chain_id ? fmt::format("{}", *transaction.chain_id) : "none";
}
std::string chain(const auto& transaction) { return fmt::format("{}", transaction.chain_id); }

}  // namespace

std::string describe(const Decoded& decoded) {
    const auto fields = [&decoded](const auto& transaction) {
        return fmt::format("type={} chain={} nonce={} {} {}{}", decoded.transaction.index(), chain(transaction),
                           transaction.nonce, price(transaction), call(transaction), extras(transaction));
    };
    return fmt::format("{} parity={} r={} s={} sender={} hash={}", std::visit(fields, decoded.transaction),
                       decoded.signature.y_parity ? 1 : 0, to_hex_prefixed(decoded.signature.r),
                       to_hex_prefixed(decoded.signature.s), decoded.sender.to_lower(), fixed(decoded.hash));
}

}  // namespace fencepost::codec::test
