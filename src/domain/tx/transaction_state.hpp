// The states of a transaction; docs/reference/states.md describes them. docs/internals/state-names.md maps the names of
// the original requirements to them.
#pragma once

#include <array>
#include <span>

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class State {
    queued,                 // accepted and durable; no nonce yet
    allocated,              // nonce, bytes and hash are recorded; no endpoint is known to have them
    tracking,               // an endpoint accepted one of its attempts; waiting for receipt and depth
    unknown_submit_result,  // a signing connector's answer was lost: the hash is unknown
    stuck,                  // all automatic means are exhausted; the stuck policy or an operator decides
    confirmed,              // executed, at the required depth
    failed_final,           // failed permanently: reverted at depth, or another transaction consumed its nonce
    cancelled,              // cancelled on request before it was executed
    rejected,               // refused in prepare; it never had a nonce
};
FP_ENUM_NAMES(State, upper, queued, allocated, tracking, unknown_submit_result, stuck, confirmed, failed_final,
              cancelled, rejected)

/// Details of a state. It explains only; decisions use the facts it is derived from.
enum class SubState {
    none,
    mined,        // a receipt is known and provisional (law 5)
    stale,        // resent, because no receipt came
    timeout,      // older than transactionTimeout
    forked,       // its block was removed by a reorg
    cancelling,   // a gap filler must consume its nonce
    fee_capped,   // mining it needs a fee above the cap
    underfunded,  // the account cannot pay for it now
    nonce_taken,  // an external transaction consumed its nonce
};

template <>
inline constexpr EnumNames<SubState, 9> enum_names<SubState>{{
    {SubState::none, ""},
    {SubState::mined, "MINED"},
    {SubState::stale, "STALE"},
    {SubState::timeout, "TIMEOUT"},
    {SubState::forked, "FORKED"},
    {SubState::cancelling, "CANCELLING"},
    {SubState::fee_capped, "FEE_CAPPED"},
    {SubState::underfunded, "UNDERFUNDED"},
    {SubState::nonce_taken, "NONCE_TAKEN"},
}};

/// State and sub-state: the key of the transition table.
struct Position {
    State state = State::queued;
    SubState sub = SubState::none;

    friend bool operator==(const Position&, const Position&) = default;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// Settled: the caller has received the verdict, and it never changes.
[[nodiscard]] constexpr bool is_final(State state) {
    switch (state) {
        case State::confirmed:
        case State::failed_final:
        case State::cancelled:
        case State::rejected:
            return true;
        case State::queued:
        case State::allocated:
        case State::tracking:
        case State::unknown_submit_result:
        case State::stuck:
            return false;
    }
    FP_UNREACHABLE();
}

/// No automatic action is sure to end this state: an operator must act, and is alerted (alert_for in ports/alerts.hpp).
[[nodiscard]] constexpr bool needs_operator(Position position) {
    return position.state == State::unknown_submit_result || position.state == State::stuck;
}

/// Settled, and a reorg removed its block: it keeps its verdict and must be mined again.
[[nodiscard]] constexpr bool is_removed(Position position) {
    return is_final(position.state) && position.sub == SubState::forked;
}

/// Whether the transaction has a nonce that something must consume (laws 3 and 4).
[[nodiscard]] constexpr bool holds_unconsumed_nonce(Position position) {
    const bool allocated = position.state == State::allocated || position.state == State::tracking ||
                           position.state == State::unknown_submit_result || position.state == State::stuck;
    return allocated && position.sub != SubState::mined && position.sub != SubState::nonce_taken;
}

}  // namespace fencepost
