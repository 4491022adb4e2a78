// Whether this node is able to work with each of its chains, and to sign for each submitter: what its lanes saw goes
// in, able or not and since when comes out. Slow to change its mind, so that neither one lost call nor an endpoint that
// answers now and then moves lanes about. Without I/O, and on the time that it is given.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lane/host/work_record.hpp"
#include "ports/store/node_ability.hpp"

namespace fencepost::cluster {

struct AbilityOptions {
    /// What fails for so long, without a success in between, is lost.
    Duration lose_after = std::chrono::seconds(10);
    /// What was lost is back when it has worked for so long without a failure; twice as long after each further loss.
    Duration regain_after = std::chrono::seconds(30);
    /// A chain without a new head for so many of its block intervals fails,
    std::uint32_t head_intervals = 3;
    /// but not before this.
    Duration least_head_age = std::chrono::seconds(10);
    /// What was lost and is not tried any more, for its lanes are elsewhere, is tried again after so long; twice as
    /// long after each further loss. Two nodes that are both broken pass a lane to and fro so often and not more.
    Duration first_back_off = std::chrono::minutes(5);
    Duration longest_back_off = std::chrono::hours(1);
};

/// One thing that works or does not: able until it fails for long.
class Hysteresis {
public:
    Hysteresis(Instant since, const AbilityOptions& options) : options_(options), since_(since) {}

    void see(const lane::CallRecord& record, Instant now);
    /// What failed had a cause that is gone: it is tried again at once.
    void try_again(Instant now);

    [[nodiscard]] bool is_able() const { return able_; }
    [[nodiscard]] Instant since() const { return since_; }
    /// When it is tried again although nothing has worked; nothing while it is able.
    [[nodiscard]] std::optional<Instant> retry_at() const { return retry_at_; }

private:
    void see_failure(const lane::CallRecord& record, Instant now);
    void see_return(const lane::CallRecord& record, Instant now);
    [[nodiscard]] Duration doubled(Duration first) const;
    void become(bool able, Instant now);

    AbilityOptions options_;
    bool able_ = true;
    /// It is tried again, and nothing is known: the next failure is enough.
    bool on_trial_ = false;
    Instant since_;
    std::uint32_t losses_ = 0;
    std::optional<Instant> retry_at_;
};

class AbilityTracker {
public:
    AbilityTracker(Instant now, AbilityOptions options);

    /// What all shards of this node saw up to now, and for whom among those with work it has no key.
    void see(const std::vector<lane::WorkRecord>& shards, const std::set<SubmitterId>& without_key, Instant now);

    /// In terms of a wall clock that shows `wall` now.
    [[nodiscard]] NodeAbility ability(Instant now, UnixTime wall) const;

private:
    struct ChainState {
        Instant known_since;
        /// None before the first head.
        std::optional<Hysteresis> heads{};
        std::optional<BlockNumber> head{};
        std::optional<Instant> fresh_since{};
        std::optional<Instant> last_stale{};
        Hysteresis sends;
        Hysteresis answers;
    };

    void see_chain(const ChainRef& ref, const lane::ChainRecord& record, Instant now);
    void see_head(ChainState& state, const lane::HeadRecord& head, Instant now) const;
    static void see_calls(const ChainState& state, Hysteresis& calls, const lane::CallRecord& record, Instant now);
    void see_signers(const std::map<SubmitterId, lane::CallRecord>& records, Instant now);
    void see_keys(const std::set<SubmitterId>& without_key, Instant now);

    AbilityOptions options_;
    Instant started_;
    std::map<ChainRef, ChainState> chains_;
    std::map<SubmitterId, Hysteresis> signers_;
    std::map<SubmitterId, Instant> without_key_since_;
};

}  // namespace fencepost::cluster
