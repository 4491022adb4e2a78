#include "lane/bump/policies.hpp"

namespace fencepost::lane {
namespace {

bool offers(const Fees& offered, const Fees& market) {
    return max_fee(offered) >= max_fee(market) && max_priority_fee(offered) >= max_priority_fee(market);
}

}  // namespace

std::optional<Fees> MultiplyFees::wanted(const BumpRequest& question) {
    const auto& last = question.offered.back();
    if (question.behind > 0 && question.market && offers(last, *question.market)) return std::nullopt;
    const auto raised =
        bump(question.offered, question.market.value_or(last), Wei(Uint256::max()), question.multiplier);
    if (!raised) return std::nullopt;
    return *raised;
}

}  // namespace fencepost::lane
