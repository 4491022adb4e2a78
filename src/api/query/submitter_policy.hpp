// Checks submitter policies when a transaction is accepted, so that the caller gets the refusal as a response.
#pragma once

#include <functional>
#include <string_view>

#include "api/submit/acceptance_rules.hpp"
#include "base/result.hpp"
#include "domain/submitter_policy.hpp"

namespace fencepost::api {

/// A submitter without a policy accepts every transaction.
class PolicyRules final : public AcceptanceRules {
public:
    /// None for a submitter without a policy.
    using PolicyOf = std::function<const SubmitterPolicy*(const SubmitterId&)>;

    explicit PolicyRules(PolicyOf policy_of) : policy_of_(std::move(policy_of)) {}

    [[nodiscard]] Status<Refusal> check(const SubmitterId& submitter, const Intent& intent) const override;

private:
    const PolicyOf policy_of_;
};

/// A contract function: "0x" and 8 hexadecimal digits, or its signature, "transfer(address,uint256)".
[[nodiscard]] Result<Selector, ParseError> parse_selector(std::string_view text);

}  // namespace fencepost::api
