// Checks and derivations that both stores apply to an intent or a lane's write before building SQL.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "base/assert.hpp"
#include "domain/tx/requeue.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/lane_store.hpp"
#include "store/text_check.hpp"
#include "store/tx_progress_codec.hpp"

namespace fencepost::store {

/// Empty when the intent can be stored; otherwise the reason, for the caller.
[[nodiscard]] inline std::string storability_error(const NewIntent& asked) {
    if (asked.request) {
        if (auto wrong = storability_error(asked.request->value()); !wrong.empty()) return wrong;
        if (is_reserved(*asked.request)) return "the request id has a form reserved for requeued transactions";
    }
    if (asked.intent.to && storable(*asked.intent.to) != *asked.intent.to) return "the destination must be UTF-8";
    return "";
}

/// On first contact: the lowest nonce of ours that needs watching.
[[nodiscard]] inline Nonce lowest_watched(const LaneWrite& write) {
    auto lowest = write.cursor->next;
    for (const auto& update : write.transactions) {
        if (update.nonce) lowest = std::min(lowest, *update.nonce);
    }
    return lowest;
}

/// The number of transactions per verdict in this write. A verdict is given only once.
[[nodiscard]] inline std::map<State, std::uint64_t> verdicts_in(const LaneWrite& write) {
    std::map<State, std::uint64_t> verdicts;
    for (const auto& update : write.transactions) {
        if (is_final(update.to.state) && !is_final(update.expected.state)) ++verdicts[update.to.state];
    }
    return verdicts;
}

/// Whether the update puts a settled transaction into another block or into none.
[[nodiscard]] inline bool moves_settled(const TxUpdate& update) {
    const bool says_block = !std::holds_alternative<std::monostate>(update.receipt);
    return is_final(update.to.state) && (update.to != update.expected || says_block);
}

/// The sending history reported to the lane, by the database's clock.
[[nodiscard]] inline Sending sending_of(UnixTime accepted_at, std::optional<UnixTime> first_at, UnixTime now,
                                        std::string error, const std::optional<std::string>& progress,
                                        std::optional<UnixTime> progress_at) {
    Sending sending{.since_accepted = now - accepted_at, .error = std::move(error)};
    if (first_at) sending.since_first = now - *first_at;
    if (progress && progress_at) {
        sending.progress = decode_tx_progress(*progress);  // none: its clocks restart
        sending.since_progress = now - *progress_at;
    }
    return sending;
}

/// A transition outside the state table, or an attempt at another nonce, is a bug and must not reach the database.
inline void assert_valid(const TxUpdate& update) {
    FP_ASSERT(update.expected == update.to || is_allowed_move(update.expected, update.to),
              "{} to {} is not an allowed transition", update.expected, update.to);
    FP_ASSERT(!update.requeue || may_be_requeued(update.to), "an intent in state {} cannot be requeued", update.to);
    for (const auto& attempt : update.attempts) {
        FP_ASSERT(!update.nonce || attempt.nonce == *update.nonce, "an attempt has another nonce than its transaction");
    }
    for (const auto& claim : update.claims) {
        FP_ASSERT(!update.nonce || claim.nonce == *update.nonce, "a claim has another nonce than its transaction");
    }
}

}  // namespace fencepost::store
