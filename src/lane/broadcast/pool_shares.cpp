#include "lane/broadcast/pool_shares.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fencepost::lane {
namespace {

constexpr std::uint64_t step_part = 8;  // one eighth less when a pool is full, one eighth more per block

// The equal share that fits the budget (max-min fairness): no lane gets more than it wants, and what it leaves goes to
// the others.
std::uint64_t equal_share(std::vector<std::uint32_t> wanted, std::uint64_t budget) {
    std::ranges::sort(wanted);
    auto left = budget;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto each = left / (wanted.size() - i);
        if (wanted[i] > each) return each;
        left -= wanted[i];
    }
    return PoolShares::unbounded;
}

}  // namespace

void PoolShares::Member::report(std::uint32_t held, std::uint32_t wanted, Instant waiting_since) {
    held_ = held;
    wanted_ = wanted;
    waiting_since_ = waiting_since;
}

bool PoolShares::full(Instant sent_at, Instant now) {
    if (reduced_at_ && sent_at <= *reduced_at_) return false;
    reduced_at_ = now;
    const auto held = std::accumulate(members_.begin(), members_.end(), std::uint64_t{0},
                                      [](auto sum, const auto* member) { return sum + member->held_; });
    const auto most = budget_ ? std::min(*budget_, held) : held;
    const auto less = std::max<std::uint64_t>(1, most / step_part);
    budget_ = most > less ? most - less : 1;
    distribute();
    return true;
}

void PoolShares::head(BlockNumber number) {
    if (number <= head_) return;
    head_ = number;
    outbid_in_this_block_ = false;
    if (!budget_) return;
    *budget_ += std::max<std::uint64_t>(1, *budget_ / step_part);
    const auto wanted = std::accumulate(members_.begin(), members_.end(), std::uint64_t{0},
                                        [](auto sum, const auto* member) { return sum + member->wanted_; });
    if (*budget_ > 2 * wanted) budget_.reset();
    distribute();
}

void PoolShares::distribute() {
    if (!budget_) {
        for (auto* member : members_)
            member->share_ = unbounded;
        return;
    }
    std::vector<std::uint32_t> wanted;
    for (const auto* member : members_)
        if (member->wanted_ > 0) wanted.push_back(member->wanted_);
    if (wanted.size() > *budget_) return take_turns(*budget_);
    const auto level =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(equal_share(std::move(wanted), *budget_), unbounded));
    for (auto* member : members_)
        member->share_ = level;
}

// The lane whose lowest nonce has waited longest comes first.
void PoolShares::take_turns(std::uint64_t budget) {
    std::vector<std::pair<Instant, std::size_t>> waiting;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        members_[i]->share_ = members_[i]->wanted_ > 0 ? 0 : 1;
        if (members_[i]->wanted_ > 0) waiting.emplace_back(members_[i]->waiting_since_, i);
    }
    std::ranges::sort(waiting);
    for (std::size_t i = 0; i < std::min<std::size_t>(budget, waiting.size()); ++i)
        members_[waiting[i].second]->share_ = 1;
}

}  // namespace fencepost::lane
