// What a submitter's key may be used for, whoever asks: a stolen API key or a mistaken program can then pay only whom
// the operator named, and only so much. Judged when a transaction is accepted, and again by the lane before it gets a
// nonce, when gas and fee are known and what was spent lately can be summed.
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

/// The first four bytes of a call: which function of the contract is meant.
using Selector = FixedBytes<4, struct SelectorTag>;

/// Limits in the chain's own coin; what a call moves in tokens is not seen here. Gas is counted at its worst: the gas
/// limit times the most that a unit may cost.
struct SpendLimits {
    std::optional<Wei> value_per_transaction{};
    std::optional<Wei> gas_spend_per_transaction{};
    /// Over all that got a nonce within `window` before now.
    std::optional<Wei> value_per_window{};
    std::optional<Wei> gas_spend_per_window{};
    Duration window = std::chrono::hours(24);

    friend bool operator==(const SpendLimits&, const SpendLimits&) = default;
};

/// A submitter without a policy may be asked for everything; one with a policy only for what stands here.
struct SubmitterPolicy {
    /// Empty: every destination.
    std::vector<Address> destinations{};
    /// Empty: every function, and plain transfers. Otherwise a call must begin with one of these, and a transfer
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

struct PolicyBreach {
    PolicyRule rule{};
    /// A sentence for the caller: what is not allowed, and what would be.
    std::string detail;

    friend bool operator==(const PolicyBreach&, const PolicyBreach&) = default;
};

/// What can be judged by the intent alone: destination, function, value, and the gas spend where the caller gave both
/// gas limit and fee.
[[nodiscard]] Status<PolicyBreach> check(const SubmitterPolicy& policy, const Intent& intent);

/// The gas spend of one transaction, once gas limit and fee are known.
[[nodiscard]] Status<PolicyBreach> check_gas_spend(const SpendLimits& limits, Gas gas_limit, const Fees& fees);

/// Value and worst-case gas spend, of one transaction or of many.
struct Spending {
    Wei value{};
    Wei gas{};
};

/// Nothing when it does not fit 256 bits, which no account can pay.
[[nodiscard]] std::optional<Spending> spending_of(const Intent& intent, Gas gas_limit, const Fees& fees);

/// Whether `next` may be spent after what was spent within the window before it.
[[nodiscard]] Status<PolicyBreach> check_window(const SpendLimits& limits, const Spending& spent, const Spending& next);

}  // namespace fencepost
