// What the lanes of one chain may have in pools together. There is no bound until a pool says that it is full; then
// what there was is shared out, the same to each who wants as much, and the bound grows again block by block. One per
// chain watch.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost::lane {

class PoolShares {
public:
    static constexpr std::uint32_t unbounded = std::numeric_limits<std::uint32_t>::max();

    /// One lane's part. What it tells is counted when the shares are next dealt.
    class Member {
    public:
        explicit Member(PoolShares& shares) : shares_(shares) { shares_.members_.push_back(this); }
        ~Member() { std::erase(shares_.members_, this); }
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

        /// How many it has in pools, how many it would have, and since when its lowest one waits.
        void tell(std::uint32_t held, std::uint32_t wanted, Instant waiting_since);
        [[nodiscard]] std::uint32_t share() const { return share_; }
        /// A pool said to something that was sent then that it is full. False: that was known.
        bool full(Instant sent_at, Instant now) { return shares_.full(sent_at, now); }
        void head(BlockNumber number) { shares_.head(number); }
        /// Whether it may pay more than its neighbours to get into a full pool: one lane per block, or they would only
        /// outbid each other.
        [[nodiscard]] bool may_outbid() { return shares_.may_outbid(); }

    private:
        friend class PoolShares;
        PoolShares& shares_;
        std::uint32_t held_ = 0;
        std::uint32_t wanted_ = 0;
        Instant waiting_since_ = Instant::max();
        std::uint32_t share_ = unbounded;
    };

    [[nodiscard]] std::optional<std::uint64_t> budget() const { return budget_; }

private:
    bool full(Instant sent_at, Instant now);
    bool may_outbid() { return !std::exchange(outbid_in_this_block_, true); }
    /// The first lane that hears of a block deals for all.
    void head(BlockNumber number);
    void deal();
    void take_turns(std::uint64_t budget);

    std::vector<Member*> members_;
    std::optional<std::uint64_t> budget_{};
    std::optional<Instant> reduced_at_{};
    BlockNumber head_{};
    bool outbid_in_this_block_ = false;
};

}  // namespace fencepost::lane
