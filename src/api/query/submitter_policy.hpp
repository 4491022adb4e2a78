// The policies of submitters at the moment of acceptance: what breaks one is refused while somebody is there to be
// told.
#pragma once

#include <functional>
#include <string_view>

#include "api/submit/acceptance_rules.hpp"
#include "base/result.hpp"
#include "domain/submitter_policy.hpp"

namespace fencepost::api {

/// A submitter without a policy may be asked for everything.
class PolicyRules final : public AcceptanceRules {
public:
    /// Nothing for a submitter without one.
    using PolicyOf = std::function<const SubmitterPolicy*(const SubmitterId&)>;

    explicit PolicyRules(PolicyOf policy_of) : policy_of_(std::move(policy_of)) {}

    [[nodiscard]] Status<Refusal> check(const SubmitterId& submitter, const Intent& intent) const override;

private:
    const PolicyOf policy_of_;
};

/// Which function is meant: "0x" and 8 hexadecimal digits, or its signature, "transfer(address,uint256)".
[[nodiscard]] Result<Selector, ParseError> parse_selector(std::string_view text);

}  // namespace fencepost::api
