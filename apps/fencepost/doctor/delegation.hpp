// What follows when the account of a submitter is delegated to a contract (EIP-7702). Judged without a network.
#pragma once

#include <optional>

#include "base/bytes.hpp"
#include "doctor/finding.hpp"
#include "domain/address.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::doctor {

/// The contract that runs for an account with this code, if it is delegated.
[[nodiscard]] std::optional<Address> delegate_in(ByteView code);

/// Nothing for an account that is not delegated. `one_at_a_time` is what is configured for it.
[[nodiscard]] Findings judge_delegation(const SubmitterId& account, ByteView code, bool one_at_a_time);

}  // namespace fencepost::doctor
