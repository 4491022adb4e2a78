// What a node's answer to a transaction means, as one of the closed set. Nodes say it in words, each client in its
// own, and providers wrap them; words that nobody has seen before stay unknown, for they may mean "sent" (law 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "domain/ids.hpp"
#include "domain/window/send_outcome.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

/// Of an error that the node gave. The words decide; the code counts only together with words that fit it, since each
/// of Besu's codes means something else elsewhere (-32003 is anvil's for every refusal, -32005 a provider's "slow
/// down").
[[nodiscard]] SendOutcome outcome_of(std::int64_t code, std::string_view message);

/// What an endpoint's answer to the transaction with this hash goes into the report as. A result is an acceptance only
/// if it is that very hash; anything else, and no answer, is unknown.
[[nodiscard]] SendReport::Answer report_of(std::string_view endpoint, const TxHash& hash,
                                           const jsonrpc::Answer& answer);

/// Why a transaction would be refused for good if enough endpoints agreed, in the closed words that the caller sees;
/// nothing for what may pass later, or is no refusal.
[[nodiscard]] std::optional<Refusal> refusal_of(SendOutcome outcome, std::string_view message);

}  // namespace fencepost::evm
