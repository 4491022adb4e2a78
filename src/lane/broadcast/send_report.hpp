// Evaluates the endpoints' answers to one send. A single endpoint is not authoritative: abandoning a transaction or
// stopping a key needs agreement (law 5).
#pragma once

#include <string>
#include <string_view>

#include "lane/loop/lane_options.hpp"
#include "ports/chain.hpp"

namespace fencepost::lane {

/// At least one endpoint holds the bytes.
[[nodiscard]] bool is_held(const SendReport& report);
[[nodiscard]] bool has_outcome(const SendReport& report, SendOutcome outcome);
/// At least one endpoint gave an answer that we understand.
[[nodiscard]] bool is_answered(const SendReport& report);

/// Nothing was sent.
[[nodiscard]] bool is_not_sent(const SendReport& report);
/// No endpoint accepted it, and all that answered have no room for it.
[[nodiscard]] bool is_refused_for_room(const SendReport& report);
/// As above, because of a full pool.
[[nodiscard]] bool is_refused_by_full_pool(const SendReport& report);
/// The lowest required tip, if all that answered refuse it for its price and state their minimum.
[[nodiscard]] std::optional<Wei> min_tip_of(const SendReport& report);

/// Enough endpoints answered, and all say that it can never be mined as it is (failure 28).
[[nodiscard]] bool is_permanently_refused(const SendReport& report, const LaneOptions& options);
/// At least one answer contradicts a refusal.
[[nodiscard]] bool contradicts_refusal(const SendReport& report);
/// Enough endpoints answered, and all say that the account cannot pay.
[[nodiscard]] bool is_unpayable(const SendReport& report, const LaneOptions& options);

/// The metric label of the most informative answer.
[[nodiscard]] std::string_view label_of(const SendReport& report);
[[nodiscard]] std::string describe(const SendReport& report);

/// The failure reason of a transaction that nodes refuse permanently.
[[nodiscard]] std::string refusal_reason(const std::string& answers);

}  // namespace fencepost::lane
