// Classifies a node's answer to a sent transaction into a closed set. Each client words errors differently and
// providers wrap them. Unrecognised messages stay `unknown`, since they may mean "sent" (law 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "domain/ids.hpp"
#include "domain/window/send_outcome.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

/// For an error returned by the node. The message decides; the code counts only together with a matching message,
/// because Besu's codes mean other things elsewhere (anvil uses -32003 for every refusal, providers use -32005 for rate
/// limits).
[[nodiscard]] SendOutcome outcome_of(std::int64_t code, std::string_view message);

/// Report entry for an endpoint's answer to the transaction with this hash. A result is an acceptance only if it is
/// this hash; any other result, or no answer, is `unknown`.
[[nodiscard]] SendReport::Answer report_of(std::string_view endpoint, const TxHash& hash,
                                           const jsonrpc::Answer& answer);

/// The reason for which a transaction is refused permanently if enough endpoints agree, from the closed set that
/// callers see. Empty for temporary refusals and other outcomes.
[[nodiscard]] std::optional<Refusal> refusal_of(SendOutcome outcome, std::string_view message);

}  // namespace fencepost::evm
