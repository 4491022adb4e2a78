// An account on an EVM chain. Callers write addresses in any case; internally there is one form only, otherwise one key
// would get two nonce streams (failure 14).
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace fencepost {

struct Address : FixedBytes<20, struct AddressTag> {
    /// "0x" and 40 digits. All lower or all upper case is accepted as it is; mixed case must have a valid EIP-55
    /// checksum, because a wrong one means a mistyped address.
    [[nodiscard]] static Result<Address, ParseError> parse(std::string_view text);

    /// The canonical form, for storage and comparison: "0x" and lower case.
    [[nodiscard]] std::string to_lower() const;
    /// The display form, with the EIP-55 checksum.
    [[nodiscard]] std::string to_checksum() const;

    friend bool operator==(const Address&, const Address&) = default;
    friend auto operator<=>(const Address&, const Address&) = default;
};

}  // namespace fencepost
