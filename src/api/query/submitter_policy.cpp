#include "api/query/submitter_policy.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "codec/abi/abi_signature.hpp"

namespace fencepost::api {
namespace {

// The request field that breaks the rule.
std::string_view field_of(PolicyRule rule) {
    switch (rule) {
        case PolicyRule::destination:
        case PolicyRule::deployment:
            return "payload.to";
        case PolicyRule::selector:
            return "payload.data";
        case PolicyRule::value_per_transaction:
        case PolicyRule::value_per_window:
            return "payload.value";
        case PolicyRule::gas_spend_per_transaction:
        case PolicyRule::gas_spend_per_window:
            return "payload.fee";
    }
    FP_UNREACHABLE();
}

}  // namespace

Status<Refusal> PolicyRules::check(const SubmitterId& submitter, const Intent& intent) const {
    const auto* policy = policy_of_(submitter);
    if (policy == nullptr) return {};
    auto allowed = fencepost::check(*policy, intent);
    if (allowed) return {};
    return err(
        Refusal{.field = std::string(field_of(allowed.error().rule)), .detail = std::move(allowed.error().detail)});
}

Result<Selector, ParseError> parse_selector(std::string_view text) {
    if (text.starts_with("0x")) {
        const auto bytes = from_hex(text);
        const auto selector = bytes ? Selector::from(*bytes) : std::nullopt;
        if (selector) return Selector{*selector};
        return err(ParseError{fmt::format("\"{}\" is not a selector: write 0x and 8 hexadecimal digits", text)});
    }
    const auto function = codec::parse_abi_signature(text);
    if (!function) return err(function.error());
    return Selector{*Selector::from(codec::selector_of(*function))};
}

}  // namespace fencepost::api
