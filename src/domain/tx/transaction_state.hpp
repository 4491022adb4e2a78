// Where a transaction stands. docs/reference/states.md explains each state; docs/internals/state-names.md maps the
// names of the original requirements to them.
#pragma once

#include <array>
#include <span>

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class State {
    queued,                 // accepted and durable; no nonce yet
    allocated,              // nonce, bytes and hash are on record; no endpoint is known to have them
    tracking,               // an endpoint took one of its attempts; waiting for receipt and depth
    unknown_submit_result,  // the chain's connector signs, and its answer was lost: nobody knows the hash
    stuck,                  // the automatic means are used up; policy or a person decides
    confirmed,              // executed, at the required depth
    failed_final,           // failed for good: reverted at depth, or its nonce was consumed by something else
    cancelled,              // ended on request before it could run
    rejected,               // refused in prepare; it never had a nonce
};
FP_ENUM_NAMES(State, upper, queued, allocated, tracking, unknown_submit_result, stuck, confirmed, failed_final,
              cancelled, rejected)

/// What is particular about a state at this moment. It explains; decisions are made from the facts it was made from.
enum class SubState {
    none,
    mined,        // a receipt is known, and provisional (law 5)
    stale,        // sent again, because no receipt came
    timeout,      // older than transactionTimeout
    forked,       // its block was removed by a reorg
    cancelling,   // a filler is to consume its nonce
    fee_capped,   // only a fee above the cap would get it mined
    underfunded,  // the account cannot pay for it now
    nonce_taken,  // somebody else's transaction consumed its nonce
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

/// State and sub-state together: what the table of moves is about.
struct Position {
    State state = State::queued;
    SubState sub = SubState::none;

    friend bool operator==(const Position&, const Position&) = default;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// Settled: the caller has been told the verdict, and it never changes.
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

/// Nothing that we do by ourselves is certain to end it: a person should look, and is told so (alert_for in
/// ports/alerts.hpp).
[[nodiscard]] constexpr bool needs_person(Position position) {
    return position.state == State::unknown_submit_result || position.state == State::stuck;
}

/// Settled, and a reorg removed its block: it keeps its verdict, and waits to be mined again.
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
