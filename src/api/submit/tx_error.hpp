// What went wrong with a transaction, as a program can tell it apart and a person can read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ports/store/queries.hpp"

namespace fencepost::api {

struct TxError {
    std::string_view code;  // one of a closed set: a Refusal (REVERT, EXPIRED…), or how it ended (NONCE_TAKEN…)
    std::string detail;
};

/// Nothing while nothing is wrong.
[[nodiscard]] std::optional<TxError> error_of(const TxView& tx);

}  // namespace fencepost::api
