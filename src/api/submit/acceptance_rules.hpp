// Rules that a transaction must meet to be accepted. Rules that only the lane can check (the amount spent within a
// period) are checked again in prepare.
#pragma once

#include <string>

#include "base/result.hpp"
#include "domain/intent.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::api {

/// The field that breaks the rule, and the rule as a sentence.
struct Refusal {
    std::string field;
    std::string detail;
};

class AcceptanceRules {
public:
    virtual ~AcceptanceRules() = default;
    [[nodiscard]] virtual Status<Refusal> check(const SubmitterId& submitter, const Intent& intent) const = 0;
};

class NoRules final : public AcceptanceRules {
public:
    [[nodiscard]] Status<Refusal> check(const SubmitterId& /*submitter*/, const Intent& /*intent*/) const override {
        return {};
    }
};

}  // namespace fencepost::api
