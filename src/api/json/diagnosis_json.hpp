// Explains to a caller why a transaction is in its state. No decision depends on it.
#pragma once

#include <string>

#include "api/dependencies.hpp"
#include "base/result.hpp"
#include "domain/tx/diagnosis.hpp"

namespace fencepost::api {

/// For a transaction that is not in flight: from the database alone.
[[nodiscard]] std::string explain_from_record(const TxView& tx, const SubmitterView& submitter);

/// For a transaction without a nonce: what it is queued behind, where only the window keeps it from getting one.
[[nodiscard]] std::optional<QueuedBehind> queued_behind_window(const TxView& tx, const SubmitterView& submitter,
                                                               const WindowRules& rules);

/// For a transaction in flight: from what the endpoints' pools hold of it and of the nonces below it. The error is a
/// sentence that says why no diagnosis was possible.
[[nodiscard]] Task<Result<Diagnosis, std::string>> diagnose_in_flight(Queries* queries, const ServedChain* served,
                                                                      TxView tx, SubmitterView submitter,
                                                                      WindowRules rules);

}  // namespace fencepost::api
