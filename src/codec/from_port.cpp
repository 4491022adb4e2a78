// Builds Ethereum transactions from the port's, and compares signed ones with the request.
#include "codec/from_port.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::codec {
namespace {

std::string text_of(std::uint64_t number) { return fmt::format("{}", number); }
std::string text_of(const Wei& amount) { return amount.value().to_decimal(); }
std::string text_of(const Nonce& nonce) { return text_of(nonce.value()); }
std::string text_of(const Gas& gas) { return text_of(gas.value()); }
std::string text_of(const Address& address) { return address.to_checksum(); }
std::string text_of(const Bytes& data) { return fmt::format("{} bytes", data.size()); }
std::string text_of(const AccessList& list) { return fmt::format("{} entries", list.size()); }
template <typename T>
std::string text_of(const std::optional<T>& value) {
    return value ? text_of(*value) : "none";
}

/// Keeps the first difference.
class Comparison {
public:
    template <typename T>
    void field(std::string_view name, const T& made, const T& wanted) {
        if (!result_ || made == wanted) return;
        result_ =
            err(ParseError{fmt::format("{} differs: signed {}, requested {}", name, text_of(made), text_of(wanted))});
    }
    [[nodiscard]] Status<ParseError> result() && { return std::move(result_); }

private:
    Status<ParseError> result_;
};

void compare_fields(Comparison& comparison, const LegacyTransaction& made, const LegacyTransaction& wanted) {
    comparison.field("chain id", made.chain_id, wanted.chain_id);
    comparison.field("nonce", made.nonce, wanted.nonce);
    comparison.field("gas price", made.gas_price, wanted.gas_price);
    comparison.field("gas limit", made.gas_limit, wanted.gas_limit);
    comparison.field("to", made.to, wanted.to);
    comparison.field("value", made.value, wanted.value);
    comparison.field("data", made.data, wanted.data);
}

void compare_fields(Comparison& comparison, const DynamicFeeTransaction& made, const DynamicFeeTransaction& wanted) {
    comparison.field("chain id", made.chain_id, wanted.chain_id);
    comparison.field("nonce", made.nonce, wanted.nonce);
    comparison.field("max priority fee", made.max_priority_fee, wanted.max_priority_fee);
    comparison.field("max fee", made.max_fee, wanted.max_fee);
    comparison.field("gas limit", made.gas_limit, wanted.gas_limit);
    comparison.field("to", made.to, wanted.to);
    comparison.field("value", made.value, wanted.value);
    comparison.field("data", made.data, wanted.data);
    comparison.field("access list", made.access_list, wanted.access_list);
}

Result<std::optional<Address>, ParseError> destination(const UnsignedTransaction& wanted) {
    if (!wanted.to) return std::nullopt;
    const auto address = Address::parse(*wanted.to);
    if (!address) return err(address.error());
    return *address;
}

}  // namespace

Status<ParseError> is_evm_transaction(const UnsignedTransaction& wanted) {
    if (!wanted.from.chain().evm_chain_id() || !wanted.from.evm_address()) {
        return err(ParseError{fmt::format("{} is not an account of an EVM chain", wanted.from)});
    }
    const auto to = destination(wanted);
    if (!to) return err(to.error());
    return {};
}

Transaction to_transaction(const UnsignedTransaction& wanted) {
    const auto valid = is_evm_transaction(wanted);
    FP_ASSERT(valid.has_value(), "{}", valid.error().what);
    const std::uint64_t chain_id = *wanted.from.chain().evm_chain_id();
    const auto to = *destination(wanted);

    if (const auto* fee = std::get_if<LegacyFee>(&wanted.fees)) {
        return LegacyTransaction{.chain_id = chain_id,
                                 .nonce = wanted.nonce,
                                 .gas_price = fee->gas_price,
                                 .gas_limit = wanted.gas_limit,
                                 .to = to,
                                 .value = wanted.value,
                                 .data = wanted.data};
    }
    const auto& fee = std::get<DynamicFee>(wanted.fees);
    return DynamicFeeTransaction{.chain_id = chain_id,
                                 .nonce = wanted.nonce,
                                 .max_priority_fee = fee.max_priority_fee,
                                 .max_fee = fee.max_fee,
                                 .gas_limit = wanted.gas_limit,
                                 .to = to,
                                 .value = wanted.value,
                                 .data = wanted.data,
                                 .access_list = {}};
}

Status<ParseError> same_transaction(const Decoded& decoded, const UnsignedTransaction& wanted) {
    const Transaction expected = to_transaction(wanted);
    if (decoded.transaction.index() != expected.index()) {
        return err(ParseError{
            fmt::format("type differs: signed {}, requested {}", type_name(decoded.transaction), type_name(expected))});
    }
    Comparison comparison;
    if (const auto* legacy = std::get_if<LegacyTransaction>(&expected)) {
        compare_fields(comparison, std::get<LegacyTransaction>(decoded.transaction), *legacy);
    } else {
        compare_fields(comparison, std::get<DynamicFeeTransaction>(decoded.transaction),
                       std::get<DynamicFeeTransaction>(expected));
    }
    comparison.field("sender", decoded.sender, *wanted.from.evm_address());
    return std::move(comparison).result();
}

}  // namespace fencepost::codec
