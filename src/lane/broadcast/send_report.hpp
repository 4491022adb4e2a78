// What the endpoints' answers to one transaction come to. One endpoint's word is an opinion: what ends trying, or stops
// a key, takes agreement (law 5).
#pragma once

#include <string>
#include <string_view>

#include "lane/loop/lane_options.hpp"
#include "ports/chain.hpp"

namespace fencepost::lane {

/// Some endpoint has the bytes.
[[nodiscard]] bool is_held(const SendReport& report);
[[nodiscard]] bool says(const SendReport& report, SendOutcome outcome);
/// At least one endpoint said something that we understand.
[[nodiscard]] bool is_answered(const SendReport& report);

/// Nothing left us.
[[nodiscard]] bool is_not_sent(const SendReport& report);
/// No endpoint took it, and all that answered have no room for it.
[[nodiscard]] bool is_refused_for_room(const SendReport& report);
/// As above, and for a full pool, whoever's transactions fill it.
[[nodiscard]] bool is_refused_by_full_pool(const SendReport& report);
/// The least that endpoints ask for, when all that answered refuse it for its price and say what they want.
[[nodiscard]] std::optional<Wei> least_tip_of(const SendReport& report);

/// All that answered say that it can never be mined as it is, and they are enough (failure 28).
[[nodiscard]] bool is_refused_for_good(const SendReport& report, const LaneOptions& options);
/// One that answered says otherwise.
[[nodiscard]] bool contradicts_refusal(const SendReport& report);
/// All that answered say that the account cannot pay for it, and they are enough.
[[nodiscard]] bool is_unpayable(const SendReport& report, const LaneOptions& options);

/// The most telling answer in the seeds' words.
[[nodiscard]] std::string_view label_of(const SendReport& report);
[[nodiscard]] std::string in_words(const SendReport& report);

/// Why a transaction failed whose bytes nodes refuse for good.
[[nodiscard]] std::string refused_by_nodes(const std::string& answers);

}  // namespace fencepost::lane
