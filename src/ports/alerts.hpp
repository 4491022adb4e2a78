// What a person should be woken for. A log is read by who looks for something; an alert looks for somebody. The kinds
// are closed and stand here, so that no two places raise the same trouble under two names, and repeats can be folded.
#pragma once

#include <optional>
#include <string>

#include "base/text/enum_names.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

enum class AlertLevel {
    warning,   // look at it today
    error,     // something does not get on without a person
    critical,  // what we believe may be wrong: look now
};
FP_ENUM_NAMES(AlertLevel, upper, warning, error, critical)

enum class AlertKind {
    fenced_spike,              // writes are refused by the fence more often than takeovers explain
    receipt_backlog,           // transactions wait for receipts, and more of them from window to window
    resubmit_rate,             // too much is sent again
    protect,                   // somebody else used a key that is ours alone
    fee_capped,                // the chain wants more than we may pay
    underfunded,               // the account cannot pay
    low_balance,               // it can still pay, but not for long
    policy,                    // somebody asked for what the submitter's key may not be used for
    stuck,                     // a transaction was given up on, and waits for a decision
    nonce_taken,               // a transaction lost its nonce to somebody else; a person decides what becomes of it
    grey_zone,                 // a connector that signs for us may have sent something, and does not say
    reconcile_failure,         // what is on record could not be compared with the chain
    reserved_above_threshold,  // nonces are reserved and neither sent nor given back
    chain_silent,              // no endpoint tells of new blocks
    chain_unreachable,         // something was decided without the chain, since none of its endpoints answered
    no_able_node,              // a submitter has work, and no live node is able to work with its chain and key
    not_mined,                 // pools hold it, its price covers the base fee, and no block takes it
    logged,                    // told to the log as an alert, by code that knows of no kind
};
FP_ENUM_NAMES(AlertKind, upper, fenced_spike, receipt_backlog, resubmit_rate, protect, fee_capped, underfunded,
              low_balance, policy, stuck, nonce_taken, grey_zone, reconcile_failure, reserved_above_threshold,
              chain_silent, chain_unreachable, no_able_node, not_mined, logged)

/// How bad a kind is unless the one who raises it knows better.
[[nodiscard]] constexpr AlertLevel usual_level(AlertKind kind) {
    switch (kind) {
        case AlertKind::receipt_backlog:
        case AlertKind::resubmit_rate:
        case AlertKind::fee_capped:
        case AlertKind::low_balance:
        case AlertKind::policy:
        case AlertKind::grey_zone:
        case AlertKind::chain_unreachable:
        case AlertKind::not_mined:
            return AlertLevel::warning;
        case AlertKind::fenced_spike:
        case AlertKind::underfunded:
        case AlertKind::stuck:
        case AlertKind::nonce_taken:
        case AlertKind::reserved_above_threshold:
        case AlertKind::chain_silent:
        case AlertKind::no_able_node:
        case AlertKind::logged:
            return AlertLevel::error;
        case AlertKind::protect:
        case AlertKind::reconcile_failure:
            return AlertLevel::critical;
    }
    FP_UNREACHABLE();
}

/// Of which kind the alert is that tells of a transaction which needs a person; nothing for one that does not.
[[nodiscard]] constexpr std::optional<AlertKind> alert_for(Position position) {
    if (!needs_person(position)) return std::nullopt;
    if (position.state == State::unknown_submit_result) return AlertKind::grey_zone;
    return position.sub == SubState::nonce_taken ? AlertKind::nonce_taken : AlertKind::stuck;
}

struct Alert {
    AlertKind kind{};
    AlertLevel level{};
    /// None: it is about the node or the chain.
    std::optional<SubmitterId> submitter{};
    /// One sentence. Never a key, a password, or bytes that are not on record.
    std::string message{};

    friend bool operator==(const Alert&, const Alert&) = default;
};

[[nodiscard]] inline Alert alert_of(AlertKind kind, std::optional<SubmitterId> submitter, std::string message) {
    return {.kind = kind, .level = usual_level(kind), .submitter = std::move(submitter), .message = std::move(message)};
}

/// What an implementation promises: raising never waits, never fails, and never throws. It may be done as often as the
/// trouble is seen: who is told, and how often, is decided behind this port.
class Alerts {
public:
    virtual ~Alerts() = default;
    virtual void raise(Alert alert) = 0;
};

/// For tests and tools that wake nobody.
class NoAlerts final : public Alerts {
public:
    void raise(Alert /*alert*/) override {}
};

}  // namespace fencepost
