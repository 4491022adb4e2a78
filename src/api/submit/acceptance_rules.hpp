// What a submitter may be asked to do, judged before a transaction is accepted. What only the lane can judge (what was
// spent in a window of time) is judged again in prepare.
#pragma once

#include <string>

#include "base/result.hpp"
#include "domain/intent.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::api {

/// Which field of the request breaks the rule, and the rule, in a sentence.
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
