// A transaction in words: one line that says every field, so that two implementations can be compared as text. The line
// is the same as that of describe() in crosscheck.mjs.
#pragma once

#include <string>

#include "codec/transaction.hpp"

namespace fencepost::codec::test {

[[nodiscard]] std::string describe(const Decoded& decoded);

}  // namespace fencepost::codec::test
