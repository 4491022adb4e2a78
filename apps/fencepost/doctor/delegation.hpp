// Explains what follows when a submitter's account is delegated to a contract (EIP-7702). Pure.
#pragma once

#include <optional>

#include "base/bytes.hpp"
#include "doctor/finding.hpp"
#include "domain/address.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::doctor {

/// The contract that an account with this code delegates to, if it is delegated.
[[nodiscard]] std::optional<Address> delegate_in(ByteView code);

/// Empty for an account that is not delegated. `one_at_a_time` is the account's configuration.
[[nodiscard]] Findings judge_delegation(const SubmitterId& account, ByteView code, bool one_at_a_time);

}  // namespace fencepost::doctor
