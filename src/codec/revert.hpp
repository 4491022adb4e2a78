// Decodes why a call reverted, for people to read. The data comes from a possibly hostile contract: the text is always
// short, printable UTF-8.
#pragma once

#include <string>

#include "base/bytes.hpp"

namespace fencepost::codec {

struct RevertReason {
    enum class Kind {
        none,     // no data: a revert() without reason, or out of gas
        message,  // Error(string): from require() and revert("…")
        panic,    // Panic(uint256): a failed check inserted by the compiler
        custom,   // a custom error of the contract, or any other data
    };
    Kind kind = Kind::none;
    /// The message, the panic as text, or selector and arguments in hexadecimal; long texts are cut.
    std::string text;

    friend bool operator==(const RevertReason&, const RevertReason&) = default;
};

[[nodiscard]] RevertReason decode_revert(ByteView data);

}  // namespace fencepost::codec
