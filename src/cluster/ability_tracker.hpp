// Tracks whether this node can use each of its chains and sign for each submitter: takes what its lanes observed,
// returns able or not, and since when. Applies hysteresis, so that neither a lost call nor an unstable endpoint moves
// lanes. No I/O, and no clock of its own.
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
    /// Continuous failure, without a success in between, after which the ability is lost.
    Duration lost_after = std::chrono::seconds(10);
    /// Continuous success after which a lost ability is regained; doubled after each further loss.
    Duration regained_after = std::chrono::seconds(30);
    /// A chain without a new head for this many block intervals counts as failing,
    std::uint32_t head_intervals = 3;
    /// but not before `min_head_age`.
    Duration min_head_age = std::chrono::seconds(10);
    /// Retry interval for a lost ability that is no longer exercised, because its lanes moved away; doubled after each
    /// further loss. Limits how often two broken nodes pass a lane back and forth.
    Duration initial_back_off = std::chrono::minutes(5);
    Duration max_back_off = std::chrono::hours(1);
};

/// One ability: able until it fails for long enough.
class Hysteresis {
public:
    Hysteresis(Instant since, const AbilityOptions& options) : options_(options), since_(since) {}

    void observe(const lane::CallRecord& record, Instant now);
    /// The cause of the failure is gone: retry at once.
    void retry_now(Instant now);

    [[nodiscard]] bool is_able() const { return able_; }
    [[nodiscard]] Instant since() const { return since_; }
    /// The next retry without any success; none while able.
    [[nodiscard]] std::optional<Instant> retry_at() const { return retry_at_; }

private:
    void record_failure(const lane::CallRecord& record, Instant now);
    void record_recovery(const lane::CallRecord& record, Instant now);
    [[nodiscard]] Duration doubled(Duration first) const;
    void become(bool able, Instant now);

    AbilityOptions options_;
    bool able_ = true;
    /// In a retry: the next failure is enough to lose it again.
    bool retrying_ = false;
    Instant since_;
    std::uint32_t losses_ = 0;
    std::optional<Instant> retry_at_;
};

class AbilityTracker {
public:
    AbilityTracker(Instant now, AbilityOptions options);

    /// What all shards of this node observed so far, and the submitters with work whose key is missing.
    void observe(const std::vector<lane::WorkRecord>& shards, const std::set<SubmitterId>& without_key, Instant now);

    /// With times of a wall clock that shows `wall` now.
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

    void update_chain(const ChainRef& ref, const lane::ChainRecord& record, Instant now);
    void update_head(ChainState& state, const lane::HeadRecord& head, Instant now) const;
    static void update_calls(const ChainState& state, Hysteresis& calls, const lane::CallRecord& record, Instant now);
    void update_signers(const std::map<SubmitterId, lane::CallRecord>& records, Instant now);
    void update_missing_keys(const std::set<SubmitterId>& without_key, Instant now);

    AbilityOptions options_;
    Instant started_;
    std::map<ChainRef, ChainState> chains_;
    std::map<SubmitterId, Hysteresis> signers_;
    std::map<SubmitterId, Instant> without_key_since_;
};

}  // namespace fencepost::cluster
