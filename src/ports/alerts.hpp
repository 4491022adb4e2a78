// The port for alerts: events that need an operator. The kinds are a closed set, so that every component reports one
// problem under one name and repeats can be deduplicated.
#pragma once

#include <optional>
#include <string>

#include "base/text/enum_names.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

enum class AlertLevel {
    warning,   // needs attention within a day
    error,     // work is blocked until an operator acts
    critical,  // recorded state may not match the chain: act now
};
FP_ENUM_NAMES(AlertLevel, upper, warning, error, critical)

enum class AlertKind {
    fenced_spike,              // more writes are fenced than takeovers explain
    receipt_backlog,           // the number of transactions without a receipt grows from window to window
    resubmit_rate,             // too many of the sends are resends
    protect,                   // an external sender used a key that only Fencepost may use
    fee_capped,                // the fee the chain requires is above the configured cap
    underfunded,               // the account balance is too low
    low_balance,               // the account balance is below the warning threshold
    policy,                    // a request violated the submitter's policy
    stuck,                     // a transaction is STUCK and waits for a decision
    nonce_taken,               // an external transaction consumed the nonce; an operator decides what happens next
    grey_zone,                 // a signing connector may have sent a transaction and does not confirm it
    reconcile_failure,         // the recorded nonces could not be compared with the chain
    reserved_above_threshold,  // too many nonces are reserved and neither sent nor released
    chain_silent,              // no endpoint reports new blocks
    chain_unreachable,         // a decision was made without the chain because no endpoint answered
    no_able_node,              // a submitter has work, and no live node can use its chain and key
    not_mined,                 // pools hold it, its price covers the base fee, and no block includes it
    logged,                    // an alert from the log, without a kind of its own
};
FP_ENUM_NAMES(AlertKind, upper, fenced_spike, receipt_backlog, resubmit_rate, protect, fee_capped, underfunded,
              low_balance, policy, stuck, nonce_taken, grey_zone, reconcile_failure, reserved_above_threshold,
              chain_silent, chain_unreachable, no_able_node, not_mined, logged)

/// The default level of a kind.
[[nodiscard]] constexpr AlertLevel default_level(AlertKind kind) {
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

/// The alert kind for a transaction in this position; none if no operator action is needed.
[[nodiscard]] constexpr std::optional<AlertKind> alert_for(Position position) {
    if (!needs_operator(position)) return std::nullopt;
    if (position.state == State::unknown_submit_result) return AlertKind::grey_zone;
    return position.sub == SubState::nonce_taken ? AlertKind::nonce_taken : AlertKind::stuck;
}

struct Alert {
    AlertKind kind{};
    AlertLevel level{};
    /// None: the alert concerns the node or the chain.
    std::optional<SubmitterId> submitter{};
    /// One sentence. Contains no key, no password, and no bytes that are not on record.
    std::string message{};

    friend bool operator==(const Alert&, const Alert&) = default;
};

[[nodiscard]] inline Alert alert_of(AlertKind kind, std::optional<SubmitterId> submitter, std::string message) {
    return {
        .kind = kind, .level = default_level(kind), .submitter = std::move(submitter), .message = std::move(message)};
}

/// Contract: raise() does not block, fail or throw. Callers may raise an alert every time they see the problem; the
/// implementation decides who is notified and how often.
class Alerts {
public:
    virtual ~Alerts() = default;
    virtual void raise(Alert alert) = 0;
};

/// For tests and tools without an operator.
class NoAlerts final : public Alerts {
public:
    void raise(Alert /*alert*/) override {}
};

}  // namespace fencepost
