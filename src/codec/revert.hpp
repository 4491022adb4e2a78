// Why a call reverted, for people to read. The data comes from a contract that may mean us harm: whatever it is, the
// text is short, printable UTF-8.
#pragma once

#include <string>

#include "base/bytes.hpp"

namespace fencepost::codec {

struct RevertReason {
    enum class Kind {
        none,     // no data: a revert() without reason, or out of gas
        message,  // Error(string): what require() and revert("…") give
        panic,    // Panic(uint256): a failed assertion of the compiler's
        custom,   // an error of the contract's own, or data that is none of the above
    };
    Kind kind = Kind::none;
    /// The message, the panic in words, or selector and arguments in hexadecimal; what is long is cut.
    std::string text;

    friend bool operator==(const RevertReason&, const RevertReason&) = default;
};

[[nodiscard]] RevertReason decode_revert(ByteView data);

}  // namespace fencepost::codec
