// Limits on what a submitter's key may be used for: a stolen API key or a faulty program can then pay only the allowed
// destinations, up to the limits. Checked when a transaction is accepted, and again by the lane before it allocates a
// nonce, when gas, fee and recent spending are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/address.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"
#include "domain/intent.hpp"

namespace fencepost {

/// The first four bytes of the call data, which select the function of the contract.
using Selector = FixedBytes<4, struct SelectorTag>;

/// Limits in the chain's native currency; token transfers are not covered. Gas is counted at its maximum: the gas limit
/// times the maximum price per gas.
struct SpendLimits {
    std::optional<Wei> value_per_transaction{};
    std::optional<Wei> gas_spend_per_transaction{};
    /// Over all transactions that were allocated a nonce within the last `window`.
    std::optional<Wei> value_per_window{};
    std::optional<Wei> gas_spend_per_window{};
    Duration window = std::chrono::hours(24);

    friend bool operator==(const SpendLimits&, const SpendLimits&) = default;
};

/// A submitter without a policy is unrestricted; with a policy, only what it lists is allowed.
struct SubmitterPolicy {
    /// Empty: every destination.
    std::vector<Address> destinations{};
    /// Empty: every function, and plain transfers. Otherwise the data must begin with one of these, and a transfer
    /// without data needs `allow_plain_transfers`.
    std::vector<Selector> selectors{};
    bool allow_plain_transfers = false;
    bool allow_deployments = false;
    SpendLimits limits{};

    friend bool operator==(const SubmitterPolicy&, const SubmitterPolicy&) = default;
};

enum class PolicyRule {
    destination,
    selector,
    deployment,
    value_per_transaction,
    gas_spend_per_transaction,
    value_per_window,
    gas_spend_per_window,
};
FP_ENUM_NAMES(PolicyRule, spaced, destination, selector, deployment, value_per_transaction, gas_spend_per_transaction,
              value_per_window, gas_spend_per_window)

struct PolicyViolation {
    PolicyRule rule{};
    /// A sentence for the caller: what is not allowed, and what is.
    std::string detail;

    friend bool operator==(const PolicyViolation&, const PolicyViolation&) = default;
};

/// Checks what the intent alone shows: destination, function, value, and the gas spend if the caller set both gas limit
/// and fee.
[[nodiscard]] Status<PolicyViolation> check(const SubmitterPolicy& policy, const Intent& intent);

/// Checks the gas spend of one transaction, once gas limit and fee are known.
[[nodiscard]] Status<PolicyViolation> check_gas_spend(const SpendLimits& limits, Gas gas_limit, const Fees& fees);

/// Value and maximum gas spend, of one transaction or of many.
struct Spending {
    Wei value{};
    Wei gas{};
};

/// None when it does not fit 256 bits, which no account can pay.
[[nodiscard]] std::optional<Spending> spending_of(const Intent& intent, Gas gas_limit, const Fees& fees);

/// Whether `next` may be spent on top of what was spent within the window.
[[nodiscard]] Status<PolicyViolation> check_window(const SpendLimits& limits, const Spending& spent,
                                                   const Spending& next);

}  // namespace fencepost
