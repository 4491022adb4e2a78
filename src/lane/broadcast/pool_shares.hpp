// Divides pool capacity among the lanes of one chain. There is no limit until a pool reports that it is full; then the
// capacity is shared fairly, and grows again block by block. One instance per chain watch.
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

    /// One lane's share. Reported values take effect at the next distribution.
    class Member {
    public:
        explicit Member(PoolShares& shares) : shares_(shares) { shares_.members_.push_back(this); }
        ~Member() { std::erase(shares_.members_, this); }
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

        /// How many it has in pools, how many it wants there, and since when its lowest one is pending.
        void report(std::uint32_t held, std::uint32_t wanted, Instant waiting_since);
        [[nodiscard]] std::uint32_t share() const { return share_; }
        /// A pool reported that it is full, for a send at this time. False: already known.
        bool full(Instant sent_at, Instant now) { return shares_.full(sent_at, now); }
        void head(BlockNumber number) { shares_.head(number); }
        /// Whether it may outbid others in a full pool: one lane per block, otherwise they would only outbid each
        /// other.
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
    /// The first lane that reports a block triggers the distribution.
    void head(BlockNumber number);
    void distribute();
    void take_turns(std::uint64_t budget);

    std::vector<Member*> members_;
    std::optional<std::uint64_t> budget_{};
    std::optional<Instant> reduced_at_{};
    BlockNumber head_{};
    bool outbid_in_this_block_ = false;
};

}  // namespace fencepost::lane
