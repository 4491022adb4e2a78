// The error of a transaction: a code for programs and a detail for people.
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

/// None when the transaction has no error.
[[nodiscard]] std::optional<TxError> error_of(const TxView& tx);

}  // namespace fencepost::api
