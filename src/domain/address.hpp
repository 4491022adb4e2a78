// An account on an EVM chain. Callers write addresses in any case; inside there is one form only, or one key would get
// two nonce streams (failure 14).
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace fencepost {

struct Address : FixedBytes<20, struct AddressTag> {
    /// "0x" and 40 digits. All lower or all upper case is taken as it is; mixed case must carry the right EIP-55
    /// checksum, because a wrong one means a mistyped address.
    [[nodiscard]] static Result<Address, ParseError> parse(std::string_view text);

    /// The canonical form, for storing and comparing: "0x" and lower case.
    [[nodiscard]] std::string to_lower() const;
    /// The form for people: with the checksum of EIP-55 in the case of its letters.
    [[nodiscard]] std::string to_checksum() const;

    friend bool operator==(const Address&, const Address&) = default;
    friend auto operator<=>(const Address&, const Address&) = default;
};

}  // namespace fencepost
