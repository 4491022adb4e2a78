// Putting together what is shown of a submitter: from the store, and its balance from the chain.
#pragma once

#include <vector>

#include "api/json/json_output.hpp"
#include "api/service.hpp"

namespace fencepost::api {

/// Without its balance.
[[nodiscard]] Task<Result<SubmitterPicture, StoreError>> look_at_submitter(Service* service, SubmitterId submitter);

/// Whether anything was ever written about it.
[[nodiscard]] bool is_on_record(const SubmitterPicture& picture);

/// A chain that does not answer leaves it out, and says why.
[[nodiscard]] Task<void> add_balance(Service* service, SubmitterPicture* picture);
/// Several at a time; once a chain does not answer it is not asked for the others.
[[nodiscard]] Task<void> add_balances(Service* service, std::vector<SubmitterPicture>* pictures);

}  // namespace fencepost::api
