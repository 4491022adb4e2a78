// Collects what the API shows of a submitter: its rows in the store and its balance on the chain.
#pragma once

#include <vector>

#include "api/json/json_output.hpp"
#include "api/service.hpp"

namespace fencepost::api {

/// Without its balance.
[[nodiscard]] Task<Result<SubmitterDetails, StoreError>> load_submitter_details(Service* service,
                                                                                SubmitterId submitter);

/// Whether the store has a row for it.
[[nodiscard]] bool is_on_record(const SubmitterDetails& details);

/// If the chain does not answer, leaves the balance out and records why.
[[nodiscard]] Task<void> add_balance(Service* service, SubmitterDetails* details);
/// Several concurrently; once a chain does not answer, it is not asked for the remaining submitters.
[[nodiscard]] Task<void> add_balances(Service* service, std::vector<SubmitterDetails>* all_details);

}  // namespace fencepost::api
