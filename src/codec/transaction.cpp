// Names of transaction types and the authority of an authorization.
#include "codec/transaction.hpp"

namespace fencepost::codec {
namespace {

Uint256 integer_of(const Scalar& scalar) { return *Uint256::from_big_endian(scalar); }

}  // namespace

std::string_view type_name(const Transaction& transaction) {
    struct Name {
        std::string_view operator()(const LegacyTransaction& /*unused*/) const { return "legacy"; }
        std::string_view operator()(const AccessListTransaction& /*unused*/) const { return "EIP-2930"; }
        std::string_view operator()(const DynamicFeeTransaction& /*unused*/) const { return "EIP-1559"; }
        std::string_view operator()(const BlobTransaction& /*unused*/) const { return "EIP-4844"; }
        std::string_view operator()(const SetCodeTransaction& /*unused*/) const { return "EIP-7702"; }
    };
    return std::visit(Name{}, transaction);
}

Authorization authorize(Authorization authorization, const PrivateKey& key) {
    const Signature signature = key.sign(signing_digest(authorization));
    authorization.y_parity = signature.y_parity ? 1 : 0;
    authorization.r = integer_of(signature.r);
    authorization.s = integer_of(signature.s);
    return authorization;
}

std::optional<Address> authority_of(const Authorization& authorization) {
    const Signature signature{.r = authorization.r.to_big_endian(),
                              .s = authorization.s.to_big_endian(),
                              .y_parity = authorization.y_parity == 1};
    if (authorization.y_parity > 1 || !is_low_s(signature.s)) return std::nullopt;
    return recover(signing_digest(authorization), signature);
}

}  // namespace fencepost::codec
