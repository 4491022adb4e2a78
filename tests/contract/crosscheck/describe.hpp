// Formats a transaction as one line with every field, so that implementations can be compared as text. The format is
// that of describe() in crosscheck.mjs.
#pragma once

#include <string>

#include "codec/transaction.hpp"

namespace fencepost::codec::test {

[[nodiscard]] std::string describe(const Decoded& decoded);

}  // namespace fencepost::codec::test
