#include "cluster/ability_tracker.hpp"

#include <algorithm>

namespace fencepost::cluster {
namespace {

// Each shard has its own connections and serves other submitters, so a failure in one shard is reported for all.
lane::CallRecord worse(const lane::CallRecord& a, const lane::CallRecord& b) {
    lane::CallRecord merged{.last_failure = std::max(a.last_failure, b.last_failure)};
    if (a.failing_since && b.failing_since) {
        merged.failing_since = std::min(a.failing_since, b.failing_since);
    } else if (a.failing_since || b.failing_since) {
        const auto& failing = a.failing_since ? a : b;
        merged.failing_since = failing.failing_since;
        merged.last_failure = failing.last_failure;
    } else {
        merged.working_since = std::max(a.working_since, b.working_since);
    }
    return merged;
}

// The oldest head, including its number: a node that lags, lags with all its lanes.
std::optional<lane::HeadRecord> worse(const std::optional<lane::HeadRecord>& a,
                                      const std::optional<lane::HeadRecord>& b) {
    if (!a || !b) return std::nullopt;
    return a->at <= b->at ? a : b;
}

lane::WorkRecord merged(const std::vector<lane::WorkRecord>& shards) {
    lane::WorkRecord all;
    for (const auto& shard : shards) {
        for (const auto& [ref, record] : shard.chains) {
            const auto [known, is_new] = all.chains.try_emplace(ref, record);
            if (is_new) continue;
            known->second = {.head = worse(known->second.head, record.head),
                             .sends = worse(known->second.sends, record.sends),
                             .answers = worse(known->second.answers, record.answers)};
        }
        // A submitter belongs to one shard.
        all.signers.insert(shard.signers.begin(), shard.signers.end());
    }
    return all;
}

class WallClock {
public:
    WallClock(Instant now, UnixTime wall) : now_(now), wall_(wall) {}
    [[nodiscard]] UnixTime at(Instant instant) const {
        return wall_ + std::chrono::duration_cast<std::chrono::microseconds>(instant - now_);
    }
    [[nodiscard]] Ability lost(const Hysteresis& what, AbilityCause cause) const {
        return {.cause = cause,
                .since = at(what.since()),
                .retry_at = what.retry_at() ? std::optional(at(*what.retry_at())) : std::nullopt};
    }

private:
    Instant now_;
    UnixTime wall_;
};

}  // namespace

void Hysteresis::observe(const lane::CallRecord& record, Instant now) {
    if (able_) {
        record_failure(record, now);
    } else {
        record_recovery(record, now);
    }
}

void Hysteresis::record_failure(const lane::CallRecord& record, Instant now) {
    if (!record.failing_since) {
        if (record.working_since) retrying_ = false;
        return;
    }
    const bool failed_on_trial = retrying_ && *record.last_failure > since_;
    const bool failed_for_long = !retrying_ && *record.last_failure - *record.failing_since >= options_.lost_after;
    if (!failed_on_trial && !failed_for_long) return;
    // A loss long ago is unrelated to this one.
    losses_ = now - since_ >= options_.max_back_off && !retrying_ ? 1 : losses_ + 1;
    become(false, now);
    retry_at_ = *record.last_failure + doubled(options_.initial_back_off);
}

void Hysteresis::record_recovery(const lane::CallRecord& record, Instant now) {
    if (record.last_failure) retry_at_ = *record.last_failure + doubled(options_.initial_back_off);
    if (record.working_since) {
        if (now - *record.working_since >= doubled(options_.regained_after)) become(true, now);
    } else if (retry_at_ && now >= *retry_at_) {
        retry_now(now);
    }
}

void Hysteresis::retry_now(Instant now) {
    become(true, now);
    retrying_ = true;
}

Duration Hysteresis::doubled(Duration first) const {
    constexpr std::uint32_t enough = 20;
    const auto times = std::int64_t{1} << std::min(losses_ == 0 ? 0 : losses_ - 1, enough);
    return std::min(first * times, options_.max_back_off);
}

void Hysteresis::become(bool able, Instant now) {
    able_ = able;
    since_ = now;
    retrying_ = false;
    retry_at_.reset();
}

AbilityTracker::AbilityTracker(Instant now, AbilityOptions options) : options_(options), started_(now) {}

void AbilityTracker::observe(const std::vector<lane::WorkRecord>& shards, const std::set<SubmitterId>& without_key,
                             Instant now) {
    const auto all = merged(shards);
    for (const auto& [ref, record] : all.chains)
        update_chain(ref, record, now);
    update_signers(all.signers, now);
    update_missing_keys(without_key, now);
}

void AbilityTracker::update_chain(const ChainRef& ref, const lane::ChainRecord& record, Instant now) {
    const Hysteresis able(started_, options_);
    auto& state =
        chains_.try_emplace(ref, ChainState{.known_since = now, .sends = able, .answers = able}).first->second;
    if (record.head) update_head(state, *record.head, now);
    update_calls(state, state.sends, record.sends, now);
    update_calls(state, state.answers, record.answers, now);
}

// In an outage every call fails. Once heads have returned stably, earlier failures no longer count; without lanes no
// other signal would show that calls work again.
void AbilityTracker::update_calls(const ChainState& state, Hysteresis& calls, const lane::CallRecord& record,
                                  Instant now) {
    calls.observe(record, now);
    const bool heads_came_back = state.last_stale && state.fresh_since && state.heads->is_able();
    if (!calls.is_able() && heads_came_back && record.last_failure < state.fresh_since) calls.retry_now(now);
}

void AbilityTracker::update_head(ChainState& state, const lane::HeadRecord& head, Instant now) const {
    state.head = head.number;
    // The first head is sufficient: nothing was lost before it.
    if (!state.heads) state.heads.emplace(now, options_);
    const auto stale_at = head.at + std::max(head.interval * options_.head_intervals, options_.min_head_age);
    lane::CallRecord record{.last_failure = state.last_stale};
    if (now <= stale_at) {
        if (!state.fresh_since) state.fresh_since = head.at;
        record.working_since = state.fresh_since;
    } else {
        state.fresh_since.reset();
        state.last_stale = now;
        record = {.failing_since = stale_at, .last_failure = now};
    }
    state.heads->observe(record, now);
}

void AbilityTracker::update_signers(const std::map<SubmitterId, lane::CallRecord>& records, Instant now) {
    for (const auto& [submitter, record] : records)
        signers_.try_emplace(submitter, started_, options_).first->second.observe(record, now);
}

void AbilityTracker::update_missing_keys(const std::set<SubmitterId>& without_key, Instant now) {
    std::erase_if(without_key_since_, [&](const auto& entry) { return !without_key.contains(entry.first); });
    for (const auto& submitter : without_key)
        without_key_since_.try_emplace(submitter, now);
}

NodeAbility AbilityTracker::ability(Instant now, UnixTime wall) const {
    const WallClock clock(now, wall);
    const auto of_chain = [&](const ChainState& state) -> Ability {
        if (!state.heads) return {.cause = AbilityCause::no_head, .since = clock.at(state.known_since)};
        if (!state.heads->is_able()) return {.cause = AbilityCause::no_head, .since = clock.at(state.heads->since())};
        if (!state.sends.is_able()) return clock.lost(state.sends, AbilityCause::send_failed);
        if (!state.answers.is_able()) return clock.lost(state.answers, AbilityCause::no_answer);
        return {.since = clock.at(std::max({state.heads->since(), state.sends.since(), state.answers.since()}))};
    };
    NodeAbility all;
    for (const auto& [ref, state] : chains_)
        all.chains[ref] = {.ability = of_chain(state), .head = state.head};
    for (const auto& [submitter, state] : signers_) {
        if (!state.is_able()) {
            all.signers[submitter] = clock.lost(state, AbilityCause::sign_failed);
        } else if (state.since() != started_) {
            all.signers[submitter] = {.since = clock.at(state.since())};
        }
    }
    for (const auto& [submitter, since] : without_key_since_)
        all.signers[submitter] = {.cause = AbilityCause::no_key, .since = clock.at(since)};
    return all;
}

}  // namespace fencepost::cluster
