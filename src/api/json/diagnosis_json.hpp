// Why a transaction is where it is, for the person who asks. Nothing is decided by it.
#pragma once

#include <string>

#include "api/dependencies.hpp"
#include "base/result.hpp"
#include "domain/tx/diagnosis.hpp"

namespace fencepost::api {

/// Of what is not on its way: from what is on record alone.
[[nodiscard]] std::string where_it_stands(const TxView& tx, const SubmitterView& submitter);

/// Of what has no nonce yet: what it is queued behind, where nothing but the window keeps it from getting one.
[[nodiscard]] std::optional<QueuedBehind> wait_for_room(const TxView& tx, const SubmitterView& submitter,
                                                        const WindowRules& rules);

/// Of what is: from what the endpoints' pools show of it and of what must go before it. The error is a sentence that
/// says why nothing could be found out.
[[nodiscard]] Task<Result<Diagnosis, std::string>> diagnose_in_flight(Queries* queries, const ServedChain* served,
                                                                      TxView tx, SubmitterView submitter,
                                                                      WindowRules rules);

}  // namespace fencepost::api
