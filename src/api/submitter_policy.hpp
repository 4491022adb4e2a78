// The policies of submitters at the moment of acceptance: what breaks one is refused while somebody is there to be
// told.
#pragma once

#include <map>
#include <string_view>

#include "api/acceptance_rules.hpp"
#include "base/result.hpp"
#include "domain/submitter_policy.hpp"

namespace fencepost::api {

using SubmitterPolicies = std::map<SubmitterId, SubmitterPolicy>;

/// A submitter without a policy may be asked for everything.
class PolicyRules final : public AcceptanceRules {
public:
    explicit PolicyRules(SubmitterPolicies policies) : policies_(std::move(policies)) {}

    [[nodiscard]] Status<Refusal> check(const SubmitterId& submitter, const Intent& intent) const override;

private:
    const SubmitterPolicies policies_;
};

/// Which function is meant: "0x" and 8 hexadecimal digits, or its signature, "transfer(address,uint256)".
[[nodiscard]] Result<Selector, ParseError> parse_selector(std::string_view text);

}  // namespace fencepost::api
