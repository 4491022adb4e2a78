#include "domain/submitter_policy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "domain/amount_text.hpp"

namespace fencepost {
namespace {

Status<PolicyViolation> violation(PolicyRule rule, std::string detail) {
    return err(PolicyViolation{.rule = rule, .detail = std::move(detail)});
}

// An intent's destination may belong to another chain family, whose addresses never match an EVM address.
bool is_allowed_destination(const std::vector<Address>& destinations, const std::string& to) {
    return destinations.empty() ||
           std::ranges::any_of(destinations, [&to](const Address& address) { return address.to_lower() == to; });
}

Status<PolicyViolation> check_selector(const SubmitterPolicy& policy, const Bytes& data) {
    if (policy.selectors.empty()) return {};
    if (data.empty()) {
        if (policy.allow_plain_transfers) return {};
        return violation(
            PolicyRule::selector,
            "this submitter may only call certain functions, and a transfer without data calls no function");
    }
    const auto selector = Selector::from(ByteView(data).first(std::min(data.size(), Selector::length)));
    if (!selector) {
        return violation(
            PolicyRule::selector,
            "this submitter may only call certain functions, and the data is too short for a function selector");
    }
    if (std::ranges::find(policy.selectors, *selector) != policy.selectors.end()) return {};
    return violation(PolicyRule::selector,
                     fmt::format("this submitter may not call the function {}", to_hex_prefixed(selector->view())));
}

Status<PolicyViolation> check_value(const SpendLimits& limits, const Wei& value) {
    if (!limits.value_per_transaction || value <= *limits.value_per_transaction) return {};
    return violation(PolicyRule::value_per_transaction,
                     fmt::format("this submitter may send {} in one transaction, and this one sends {}",
                                 amount_text(*limits.value_per_transaction), amount_text(value)));
}

Status<PolicyViolation> check_sum(PolicyRule rule, std::string_view what, const std::optional<Wei>& limit,
                                  const Wei& spent, const Wei& next) {
    if (!limit) return {};
    const auto sum = Uint256::checked_add(spent.value(), next.value());
    if (sum && *sum <= limit->value()) return {};
    return violation(rule, fmt::format("this submitter may {} {} within its time window; {} is spent, and this "
                                       "transaction needs {} more",
                                       what, amount_text(*limit), amount_text(spent), amount_text(next)));
}

}  // namespace

Status<PolicyViolation> check(const SubmitterPolicy& policy, const Intent& intent) {
    if (!intent.to) {
        if (!policy.allow_deployments) {
            return violation(PolicyRule::deployment,
                             "this submitter may not deploy contracts; name the contract to be called in `to`");
        }
    } else if (!is_allowed_destination(policy.destinations, *intent.to)) {
        return violation(PolicyRule::destination,
                         fmt::format("this submitter may not send to {}; allowed destinations are listed in its policy",
                                     *intent.to));
    } else if (auto allowed = check_selector(policy, intent.data); !allowed) {
        return allowed;
    }
    if (auto allowed = check_value(policy.limits, intent.value); !allowed) return allowed;
    const auto* const fees = std::get_if<Fees>(&intent.fee);
    if (intent.gas_limit && fees != nullptr) return check_gas_spend(policy.limits, *intent.gas_limit, *fees);
    return {};
}

Status<PolicyViolation> check_gas_spend(const SpendLimits& limits, Gas gas_limit, const Fees& fees) {
    if (!limits.gas_spend_per_transaction) return {};
    const auto spend = max_cost(fees, gas_limit, Wei{});
    if (spend && *spend <= *limits.gas_spend_per_transaction) return {};
    return violation(
        PolicyRule::gas_spend_per_transaction,
        fmt::format("this submitter may spend {} for the gas of one transaction, and a gas limit of {} "
                    "at {} could cost more",
                    amount_text(*limits.gas_spend_per_transaction), gas_limit, gas_price_text(max_fee(fees))));
}

std::optional<Spending> spending_of(const Intent& intent, Gas gas_limit, const Fees& fees) {
    const auto gas = max_cost(fees, gas_limit, Wei{});
    if (!gas) return std::nullopt;
    return Spending{.value = intent.value, .gas = *gas};
}

Status<PolicyViolation> check_window(const SpendLimits& limits, const Spending& spent, const Spending& next) {
    if (auto allowed =
            check_sum(PolicyRule::value_per_window, "send", limits.value_per_window, spent.value, next.value);
        !allowed) {
        return allowed;
    }
    return check_sum(PolicyRule::gas_spend_per_window, "spend for gas", limits.gas_spend_per_window, spent.gas,
                     next.gas);
}

}  // namespace fencepost
