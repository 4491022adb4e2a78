#include "sim/simulation/settings.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t gwei = 1'000'000'000;

class Draw {
public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] std::uint64_t between(std::uint64_t least, std::uint64_t most) {
        return least + random_.below(most - least + 1);
    }
    [[nodiscard]] Duration milliseconds(std::uint64_t least, std::uint64_t most) {
        return std::chrono::milliseconds(between(least, most));
    }
    template <typename T, std::size_t N>
    [[nodiscard]] T one_of(const std::array<T, N>& values) {
        return values.at(random_.below(N));
    }
    [[nodiscard]] bool one_in(std::uint64_t n) { return random_.one_in(n); }
    /// Often zero, sometimes high: runs in which everything fails a little find less.
    [[nodiscard]] std::uint32_t rate(std::uint32_t most) {
        return one_in(2) ? 0 : static_cast<std::uint32_t>(between(1, most));
    }
    [[nodiscard]] Duration every(std::uint64_t least_seconds, std::uint64_t most_seconds) {
        return one_in(3) ? Duration{} : milliseconds(least_seconds * 1'000, most_seconds * 1'000);
    }

private:
    SeededRandom random_;
};

void draw_chain(Draw& draw, Settings& settings) {
    settings.endpoints = draw.between(1, 3);
    settings.block_interval = draw.milliseconds(1'000, 6'000);
    auto& ledger = settings.network.ledger;
    ledger.safe_lag = draw.between(4, 10);
    ledger.finalized_lag = ledger.safe_lag + draw.between(2, 10);
    ledger.base_fee = Wei(Uint256(draw.between(1, 50) * gwei));
    settings.endpoint_latency = {.least = draw.milliseconds(1, 10), .most = draw.milliseconds(20, 300)};
}

void draw_database(Draw& draw, Settings& settings) {
    settings.database.way = {.least = draw.milliseconds(0, 2), .most = draw.milliseconds(3, 50)};
    settings.database.commit = {.least = draw.milliseconds(0, 2), .most = draw.milliseconds(3, 50)};
    settings.database.call_timeout = draw.milliseconds(1'000, 5'000);
}

void draw_lanes(Draw& draw, Settings& settings) {
    settings.nodes = draw.between(1, 5);
    settings.shards = draw.between(1, 3);
    settings.submitters = draw.between(1, 6);
    settings.host.lease = draw.milliseconds(3'000, 10'000);
    settings.host.renew_every = settings.host.lease / 3;
    settings.host.clock_skew_allowance = settings.host.lease / 10;
    auto& lane = settings.lane;
    lane.window = draw.one_of(std::array<std::uint32_t, 5>{1, 2, 4, 8, 16});
    lane.finality = draw.one_of(std::array{lane::FinalityRule::depth, lane::FinalityRule::depth,
                                           lane::FinalityRule::safe, lane::FinalityRule::finalized});
    lane.confirmations_required = draw.between(1, 6);
    lane.resubmit_interval = draw.milliseconds(8'000, 40'000);
    lane.stale_receipt_timeout = draw.milliseconds(8'000, 40'000);
    lane.fee_cap = Wei(Uint256(draw.between(100, 500) * gwei));
}

void draw_faults(Draw& draw, Settings& settings) {
    auto& faults = settings.faults;
    faults.crash = draw.every(5, 60);
    faults.orderly_leave = draw.every(10, 90);
    faults.pause = draw.every(5, 60);
    faults.clock_jump = draw.every(10, 60);
    faults.partition = draw.every(10, 90);
    faults.database_outage = draw.one_in(3) ? draw.every(30, 120) : Duration{};
    faults.endpoint_outage = draw.every(10, 90);
    faults.endpoint_lag = draw.every(10, 60);
    faults.eviction = draw.every(3, 30);
    faults.reorg = draw.every(5, 60);
    faults.fee_spike = draw.every(20, 120);
    faults.external_use = draw.one_in(8) ? draw.milliseconds(60'000, 240'000) : Duration{};
    // Never into finalized blocks: finality is defined that way.
    faults.deepest_reorg = draw.one_in(3) ? settings.network.ledger.finalized_lag - 1
                                          : std::min<std::uint64_t>(3, settings.lane.confirmations_required);
    faults.lost_wakeups_one_in = draw.between(0, 4);
    faults.database = {.slow = draw.rate(50),
                       .serialization_failures = draw.rate(50),
                       .answers_lost = draw.rate(50),
                       .requests_lost = draw.rate(50),
                       .commits_late = draw.rate(50)};
    faults.chain = {.sends_lost = draw.rate(200),
                    .sends_timed_out_after_arriving = draw.rate(200),
                    .sends_rate_limited = draw.rate(100),
                    .sends_duplicated = draw.rate(100),
                    .reads_timed_out = draw.rate(50),
                    .reads_rate_limited = draw.rate(100),
                    .reads_refused = draw.rate(100),
                    .unreachable = draw.rate(100)};
}

void draw_workload(Draw& draw, Settings& settings) {
    auto& workload = settings.workload;
    workload.requests = draw.between(10, 80);
    workload.burst = draw.one_in(2) ? 1 : draw.between(2, 40);
    settings.fault_phase = draw.milliseconds(60'000, 360'000);
    workload.pause = settings.fault_phase / static_cast<int>(workload.requests / workload.burst + 1);
    workload.answer_timeout = draw.milliseconds(500, 8'000);
    workload.duplicated_percent = draw.rate(30);
    workload.reverting_percent = draw.rate(20);
    workload.submitter_command_pause = draw.every(20, 120);
}

// Drawn late, so that earlier draws of a seed do not change.
void draw_remedies(Draw& draw, Settings& settings) {
    auto& lane = settings.lane;
    lane.bump.enabled = draw.one_in(2);
    lane.bump.min_interval = draw.milliseconds(5'000, 40'000);
    lane.resubmit.max_attempts = static_cast<std::uint32_t>(draw.between(2, 10));
    lane.stuck_after = draw.milliseconds(60'000, 600'000);
    lane.transaction_timeout = draw.milliseconds(60'000, 600'000);
    lane.fail_on_timeout = draw.one_in(4);
    settings.workload.tx_command_pause = draw.one_in(3) ? Duration{} : draw.milliseconds(4'000, 40'000);
}

// Funds so low that a fee spike empties the account while transactions are in flight.
void draw_balances(Draw& draw, Settings& settings) {
    if (!draw.one_in(5)) return;
    constexpr std::uint64_t gas_of_one = 100'000;
    const auto price = settings.network.ledger.base_fee->value() * Uint256(3);
    settings.initial_balance = price * Uint256(gas_of_one * draw.between(2, 20));
    settings.faults.top_up = draw.milliseconds(10'000, 60'000);
}

void draw_decisions(Draw& draw, Settings& settings) {
    settings.stuck_decision = draw.one_of(std::array{StuckDecision::wait, StuckDecision::wait, StuckDecision::bump,
                                                     StuckDecision::filler, StuckDecision::hand_to_person});
    settings.faults.refusal = draw.one_in(3) ? draw.milliseconds(20'000, 120'000) : Duration{};
}

void draw_connector(Draw& draw, Settings& settings) {
    if (!draw.one_in(4)) return;
    settings.connector = {
        .abilities = {.hash_recomputation = draw.one_in(2), .query_by_nonce = draw.one_in(3)},
        .faults = {
            .requests_lost = draw.rate(200), .answers_lost = draw.rate(200), .unacknowledged_sends = draw.rate(100)}};
    settings.lane.grey_zone.interval = draw.milliseconds(5'000, 30'000);
    settings.lane.grey_zone.timeout = draw.milliseconds(20'000, 90'000);
}

std::string to_text(const ConnectorPlan& plan) {
    return fmt::format(
        "  a connector signs for the first submitter, {} hashes, {} by nonce; per 1000: requests lost {}, answers lost "
        "{}, "
        "taken silently {}\n",
        plan.abilities.hash_recomputation ? "derives" : "does not derive",
        plan.abilities.query_by_nonce ? "is asked" : "is not asked", plan.faults.requests_lost,
        plan.faults.answers_lost, plan.faults.unacknowledged_sends);
}

// Keys that another system regularly uses as well.
void draw_sharing(Draw& draw, Settings& settings) {
    if (!draw.one_in(4)) return;
    auto& lane = settings.lane;
    lane.mode = lane::NonceMode::relaxed;
    lane.relaxed.nonce_state_timeout = draw.one_of(std::array<Duration, 4>{0s, 5s, 60s, 5min});
    lane.relaxed.reserved_timeout = draw.milliseconds(10'000, 60'000);
    lane.relaxed.gap_fill_delay = draw.milliseconds(5'000, 20'000);
    settings.faults.other_system = draw.every(5, 40);
    settings.workload.refused_percent = draw.rate(20);
}

// On an idle chain endpoints suggest no tip and accept transactions without one.
void draw_market(Draw& draw, Settings& settings) {
    settings.tip = draw.one_in(4) ? Wei{} : Wei(Uint256(draw.between(1, 4) * gwei));
}

// No machine's clock is exact; a clock jump adds to the error.
void draw_skews(Draw& draw, Settings& settings) {
    settings.skews.resize(settings.nodes);
    if (draw.one_in(2)) return;
    for (auto& skew : settings.skews)
        skew = draw.milliseconds(0, 20'000) - 10s;
}

void draw_agreement(Draw& draw, Settings& settings) {
    const bool agree = draw.one_in(3);
    const bool database_steps = draw.one_in(3);
    const auto every = draw.every(20, 90);
    // Of two clocks the lane trusts the one by which less time has passed, so one of them must be right.
    if (database_steps) settings.faults.database_clock_step = every;
    if (database_steps) settings.faults.clock_jump = {};
    if (!agree) return;
    std::ranges::fill(settings.skews, Duration{});
    settings.faults.clock_jump = settings.faults.database_clock_step = {};
}

void draw_cluster(Draw& draw, Settings& settings) {
    settings.heartbeat = draw.milliseconds(1'000, 3'000);
    settings.poll_interval = draw.milliseconds(1'000, 3'000);
}

// Only with several nodes, so that another one can take over.
void draw_permanent_fault(Draw& draw, Settings& settings) {
    const bool lasts = draw.one_in(4);
    const auto fault = draw.one_of(std::array{PermanentFault::chain, PermanentFault::signer});
    const bool hardly_answers = draw.one_in(6);
    if (lasts && settings.nodes > 1) settings.faults.permanent_fault = fault;
    settings.faults.one_endpoint_throttled = hardly_answers && settings.endpoints > 1;
    // With two endpoints both must refuse before a refusal is permanent, and one of them hardly ever answers.
    if (settings.faults.one_endpoint_throttled && settings.endpoints == 2) settings.workload.refused_percent = 0;
}

// Pools so small that a burst does not fit, and a window that has to adapt.
void draw_pools(Draw& draw, Settings& settings) {
    const bool is_auto = draw.one_in(2);
    const auto start = static_cast<std::uint32_t>(draw.between(1, 8));
    if (is_auto) {
        settings.lane.window = {};
        settings.lane.window.start = start;
    }
    auto& pools = settings.pools;
    const bool is_small = draw.one_in(3);
    const auto slots = draw.between(8, 40);
    if (is_small)
        pools.limits = {.account_slots = 2, .global_slots = slots, .account_queue = 4, .global_queue = slots / 2};
    pools.refusals = draw.one_of(std::array{TemporaryRefusals::honest, TemporaryRefusals::honest,
                                            TemporaryRefusals::hidden_and_retried, TemporaryRefusals::hidden});
    pools.first = draw.one_of(std::array{PoolDisplay::shows, PoolDisplay::shows, PoolDisplay::hides,
                                         PoolDisplay::keeps_dropped, PoolDisplay::counts_gaps});
}

std::string to_text(TemporaryRefusals refusals) {
    switch (refusals) {
        case TemporaryRefusals::honest:
            return "is reported";
        case TemporaryRefusals::hidden_and_retried:
            return "is hidden and retried";
        case TemporaryRefusals::hidden:
            return "is hidden";
    }
    FP_UNREACHABLE();
}

std::string to_text(PoolDisplay display) {
    switch (display) {
        case PoolDisplay::shows:
            return "shows its pool";
        case PoolDisplay::hides:
            return "hides its pool";
        case PoolDisplay::keeps_dropped:
            return "shows what its pool has dropped, too";
        case PoolDisplay::counts_gaps:
            return "counts past gaps";
    }
    FP_UNREACHABLE();
}

std::string to_text(const PoolPlan& pools, PoolDisplay first) {
    return fmt::format("  pools of {} + {} transactions, a temporary refusal {}; the first endpoint {}\n",
                       pools.limits.global_slots, pools.limits.global_queue, to_text(pools.refusals), to_text(first));
}

// Drawn last, because it lengthens the storm.
CommonOutage draw_common_outage(Draw& draw, const Settings& settings) {
    const bool happens = draw.one_in(12);
    const auto outage = draw.one_of(std::array{CommonOutage::chain, CommonOutage::signer, CommonOutage::answers});
    return happens && settings.nodes > 1 ? outage : CommonOutage::none;
}

std::string to_text(CommonOutage outage) {
    switch (outage) {
        case CommonOutage::none:
            return "some node can always work";
        case CommonOutage::chain:
            return "no node reaches the chain for ten minutes";
        case CommonOutage::signer:
            return "no node can sign for ten minutes";
        case CommonOutage::answers:
            return "all endpoints answer one call in ten for ten minutes";
    }
    FP_UNREACHABLE();
}

std::string to_text(PermanentFault fault) {
    switch (fault) {
        case PermanentFault::none:
            return "no node is broken permanently";
        case PermanentFault::chain:
            return "the first node loses its chain permanently";
        case PermanentFault::signer:
            return "the first node loses its signer permanently";
    }
    FP_UNREACHABLE();
}

std::string to_text(Duration every) {
    if (every == Duration{}) return "never";
    return fmt::format("{}", std::chrono::duration_cast<std::chrono::seconds>(every));
}

}  // namespace

Settings Settings::from_seed(std::uint64_t seed) {
    Draw draw(seed ^ 0x5eed5eed5eed5eed);  // a different sequence from the world's
    Settings settings;
    settings.seed = seed;
    draw_chain(draw, settings);
    draw_database(draw, settings);
    draw_lanes(draw, settings);
    draw_faults(draw, settings);
    draw_workload(draw, settings);
    draw_remedies(draw, settings);
    settings.lane.reconcile_interval = draw.milliseconds(5'000, 60'000);
    settings.lane.diagnose = draw.one_in(3);
    draw_decisions(draw, settings);
    draw_balances(draw, settings);
    // Frequent enough to collide with transactions in flight.
    if (draw.one_in(8)) settings.faults.external_use = draw.milliseconds(15'000, 60'000);
    draw_connector(draw, settings);
    draw_sharing(draw, settings);
    draw_cluster(draw, settings);
    // Drawn last, so that earlier draws of a seed do not change.
    draw_market(draw, settings);
    draw_skews(draw, settings);
    draw_permanent_fault(draw, settings);
    draw_agreement(draw, settings);
    draw_pools(draw, settings);
    const auto blocks = 2 * settings.network.ledger.finalized_lag + settings.workload.requests + 80;
    settings.settling_limit = 5min + 10 * settings.host.lease + 6 * settings.lane.resubmit_interval +
                              static_cast<int>(blocks) * settings.block_interval;
    if (settings.connector)
        settings.settling_limit += 3 * (settings.lane.grey_zone.timeout + settings.lane.grey_zone.interval);
    if (settings.faults.permanent_fault != PermanentFault::none || settings.faults.one_endpoint_throttled)
        settings.settling_limit += 10min;
    if (const auto outage = draw_common_outage(draw, settings); outage != CommonOutage::none)
        settings.plan_common_outage(outage);
    return settings;
}

bool Settings::clocks_agree() const {
    return faults.clock_jump == Duration{} && faults.database_clock_step == Duration{} &&
           std::ranges::all_of(skews, [](Duration skew) { return skew == Duration{}; });
}

// A nonce that another system or a connector left unused is found through the pending count; a count that skips gaps
// never shows it.
PoolDisplay Settings::first_display() const {
    const bool count_must_name_gaps = connector || lane.mode == lane::NonceMode::relaxed;
    return count_must_name_gaps && pools.first == PoolDisplay::counts_gaps ? PoolDisplay::shows : pools.first;
}

void Settings::share_keys(Duration between_sends) {
    lane.mode = lane::NonceMode::relaxed;
    faults.other_system = between_sends;
}

// Remaining faults of other kinds neither make a node unable to work for long nor leave a lane's write uncertain.
void Settings::plan_common_outage(CommonOutage outage) {
    faults.common = outage;
    faults.crash = faults.orderly_leave = faults.pause = faults.clock_jump = faults.database_clock_step =
        faults.partition = {};
    // An externally used key is stopped, and its lane reopens when an operator unprotects it.
    faults.database_outage = faults.endpoint_outage = faults.endpoint_lag = faults.external_use = {};
    faults.database = {};
    faults.permanent_fault = PermanentFault::none;
    faults.one_endpoint_throttled = false;
    fault_phase = common_outage_duration + 3min;
    workload.pause = fault_phase / static_cast<int>(workload.requests / workload.burst + 1);
    // A signer's recovery is noticed only at the next attempt to sign.
    settling_limit += 20min;
}

std::string Settings::describe() const {
    const auto ms = [](Duration duration) { return std::chrono::duration_cast<std::chrono::milliseconds>(duration); };
    const auto finality = lane.finality == lane::FinalityRule::safe ? std::string("when safe")
                          : lane.finality == lane::FinalityRule::finalized
                              ? std::string("when finalized")
                              : fmt::format("at depth {}", lane.confirmations_required);
    auto text = fmt::format(
        "seed {}: {} nodes of {} shards, {} submitters, window {}, lease {}, heartbeat {}, poll every {}, "
        "resend after {}, stale after {}\n"
        "  chain: {} endpoints of {} to {}, a block every {}, final {}, safe {} and finalized {} below, base fee {} "
        "gwei, "
        "tip {} gwei, fee cap {} gwei\n"
        "  callers: {} requests in {}, {} at once, timeout {}, {} % sent twice, {} % reverting, a command every {}\n",
        seed, nodes, shards, submitters,
        lane.window.is_fixed() ? fmt::format("{}", lane.window.ceiling)
                               : fmt::format("auto from {}", lane.window.start),
        ms(host.lease), ms(heartbeat), ms(poll_interval), ms(lane.resubmit_interval), ms(lane.stale_receipt_timeout),
        endpoints, ms(endpoint_latency.least), ms(endpoint_latency.most), ms(block_interval), finality,
        network.ledger.safe_lag, network.ledger.finalized_lag, network.ledger.base_fee->value() / Uint256(gwei),
        tip.value() / Uint256(gwei), lane.fee_cap.value() / Uint256(gwei), workload.requests,
        std::chrono::duration_cast<std::chrono::seconds>(fault_phase), workload.burst, ms(workload.answer_timeout),
        workload.duplicated_percent, workload.reverting_percent, to_text(workload.submitter_command_pause));
    text += fmt::format(
        "  a cancel or speed-up every {}; bumps {} (every {}), stuck after {} sends or {} (then: {}), a time-out of "
        "{} "
        "{}; {}\n",
        to_text(workload.tx_command_pause), lane.bump.enabled ? "on" : "off", ms(lane.bump.min_interval),
        lane.resubmit.max_attempts, ms(lane.stuck_after), name_of(stuck_decision), ms(lane.transaction_timeout),
        lane.fail_on_timeout ? "fails" : "is only reported",
        initial_balance ? fmt::format("low funds, topped up every {}", to_text(faults.top_up)) : "ample funds");
    text += fmt::format(
        "  every so often: crash {}, shutdown {}, pause {}, clock jump {}, partition {}, database clock step {}, "
        "database "
        "outage {}, endpoint "
        "outage {}, "
        "lag {}, eviction {}, reorg {} (to depth {}), fee spike {}, external use {}, refusal {}; one in {} wake-ups "
        "lost\n",
        to_text(faults.crash), to_text(faults.orderly_leave), to_text(faults.pause), to_text(faults.clock_jump),
        to_text(faults.partition), to_text(faults.database_clock_step), to_text(faults.database_outage),
        to_text(faults.endpoint_outage), to_text(faults.endpoint_lag), to_text(faults.eviction), to_text(faults.reorg),
        faults.deepest_reorg, to_text(faults.fee_spike), to_text(faults.external_use), to_text(faults.refusal),
        faults.lost_wakeups_one_in);
    text += fmt::format(
        "  database: latency {} to {}, commit {} to {}, timeout {}; per 1000: slow {}, refused {}, answers lost {}, "
        "requests lost {}, late commits {}\n"
        "  chain, per 1000: sends lost {}, timed out {}, 429 {}, doubled {}; reads timed out {}, 429 {}, refused {}; "
        "unreachable {}\n",
        ms(database.way.least), ms(database.way.most), ms(database.commit.least), ms(database.commit.most),
        ms(database.call_timeout), faults.database.slow, faults.database.serialization_failures,
        faults.database.answers_lost, faults.database.requests_lost, faults.database.commits_late,
        faults.chain.sends_lost, faults.chain.sends_timed_out_after_arriving, faults.chain.sends_rate_limited,
        faults.chain.sends_duplicated, faults.chain.reads_timed_out, faults.chain.reads_rate_limited,
        faults.chain.reads_refused, faults.chain.unreachable);
    text += fmt::format(
        "  {}; {}; {}\n", to_text(faults.permanent_fault), to_text(faults.common),
        faults.one_endpoint_throttled ? "the first endpoint answers one call in ten" : "every endpoint answers");
    text += to_text(pools, first_display());
    text += fmt::format("  clocks off by {}\n", fmt::join(skews | std::views::transform(ms), ", "));
    if (connector) text += to_text(*connector);
    if (lane.mode == lane::NonceMode::relaxed) {
        text += fmt::format(
            "  the keys are shared: another system sends every {}, the nonce state is valid for {}, a reservation for "
            "{}, "
            "a nonce gap is filled after {}; {} % refused by every node\n",
            to_text(faults.other_system), ms(lane.relaxed.nonce_state_timeout), ms(lane.relaxed.reserved_timeout),
            ms(lane.relaxed.gap_fill_delay), workload.refused_percent);
    }
    return text;
}

std::string Settings::replay_command() const {
    const auto broken = mutant == Mutant::none ? "" : fmt::format(" --mutant {}", name_of(mutant));
    return fmt::format("fencepost-sim --seed {}{}", seed, broken);
}

}  // namespace fencepost::sim
