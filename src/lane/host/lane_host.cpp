#include "lane/host/lane_host.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/async/caught.hpp"
#include "lane/host/run_guarded.hpp"
#include "lane/host/time_limit.hpp"
#include "ports/critical_write.hpp"

namespace fencepost::lane {

namespace {

constexpr Duration busy_renewal_pause = std::chrono::milliseconds(100);

}  // namespace

/// The host's state of one submitter. Lease and lane live in the frame of serve().
struct LaneHost::Slot {
    HeldLease* lease = nullptr;
    Lane* lane = nullptr;
    bool releasing = false;
    /// The claim of the last opening, until it is released or lost.
    std::optional<Fence> fence;
};

LaneHost::LaneHost(Executor executor, NodeId node, Dependencies dependencies, HostOptions options)
    : executor_(std::move(executor)),
      node_(std::move(node)),
      dependencies_(dependencies),
      options_(options),
      receipt_workers_(executor_, options.receipt_workers),
      logged_alerts_(dependencies.log),
      signer_(dependencies.signer, dependencies.clock, signer_records_),
      world_{.store = dependencies.store,
             .commands = dependencies.commands,
             .signer = signer_,
             .builder = dependencies.builder,
             .clock = dependencies.clock,
             .telemetry = dependencies.telemetry,
             .log = dependencies.log,
             .alerts = dependencies.alerts != nullptr ? *dependencies.alerts : logged_alerts_,
             .receipt_workers = receipt_workers_,
             .bump_policy = dependencies.bump_policy != nullptr ? *dependencies.bump_policy : multiply_fees_,
             .stuck_policy = dependencies.stuck_policy != nullptr ? *dependencies.stuck_policy : default_stuck_policy_,
             .connector = nullptr,
             .shared_keys = dependencies.shared_keys},
      writer_(executor_, dependencies.store, dependencies.clock, dependencies.telemetry, dependencies.log),
      closed_(executor_),
      lanes_(executor_),
      helpers_(executor_) {
    if (dependencies.connector == nullptr) return;
    connector_.emplace(*dependencies.connector, dependencies.clock, signer_records_);
    world_.connector = &*connector_;
}

LaneHost::~LaneHost() = default;

void LaneHost::add_chain(Chain& chain) {
    auto& observed = *(chains_[chain.ref()] = std::make_unique<ObservedChain>(chain, dependencies_.clock));
    watches_.emplace(chain.ref(),
                     std::make_unique<ChainWatch>(executor_, observed, dependencies_.headers, dependencies_.clock,
                                                  dependencies_.telemetry, dependencies_.log));
}

Task<void> LaneHost::run() {
    helpers_.spawn(writer_.run());
    helpers_.spawn(keep_leases());
    for (auto& [ref, watch] : watches_)
        helpers_.spawn(watch->run());
    std::exception_ptr error;
    try {
        co_await helpers_.join();
    } catch (...) {
        error = std::current_exception();
    }
    // Lanes write through the helpers, so the lanes are not joined first: their current writes have an unknown outcome.
    lanes_.cancel();
    co_await asio::this_coro::reset_cancellation_state();  // a second cancellation waits for them, too
    co_await lanes_.join();
    if (error) std::rethrow_exception(error);
}

void LaneHost::open(const SubmitterId& submitter, const LaneOptions& options) {
    FP_ASSERT(watches_.contains(submitter.chain()), "no connector was added for {}", submitter.chain().to_string());
    FP_ASSERT(options.mode == NonceMode::strict || dependencies_.shared_keys,
              "{} is shared, but shared keys are not set up", submitter.to_string());
    const auto [slot, is_new] = slots_.try_emplace(submitter);
    if (!is_new) return;
    slot->second = std::make_unique<Slot>();
    lanes_.spawn(keep_lane(submitter, options));
}

void LaneHost::wake(const SubmitterId& submitter) {
    const auto slot = slots_.find(submitter);
    if (slot != slots_.end() && slot->second->lane != nullptr) slot->second->lane->wake();
}

void LaneHost::release(const SubmitterId& submitter) {
    const auto slot = slots_.find(submitter);
    if (slot == slots_.end()) return;
    slot->second->releasing = true;
    if (slot->second->lane != nullptr) slot->second->lane->release();
}

void LaneHost::release_lanes() {
    for (const auto& [submitter, slot] : slots_)
        release(submitter);
}

Task<void> LaneHost::release_all() {
    release_lanes();
    while (!slots_.empty())
        co_await closed_.wait();
}

bool LaneHost::is_open(const SubmitterId& submitter) const {
    const auto slot = slots_.find(submitter);
    return slot != slots_.end() && slot->second->lane != nullptr;
}

bool LaneHost::is_idle(const SubmitterId& submitter) const {
    const auto slot = slots_.find(submitter);
    return slot != slots_.end() && slot->second->lane != nullptr && slot->second->lane->is_idle();
}

std::vector<OpenLane> LaneHost::open_lanes() const {
    std::vector<OpenLane> lanes;
    lanes.reserve(slots_.size());
    for (const auto& [submitter, slot] : slots_) {
        lanes.push_back({.submitter = submitter, .serving = slot->lane != nullptr, .releasing = slot->releasing});
    }
    return lanes;
}

HostReport LaneHost::report() const {
    HostReport report{.lanes = open_lanes(), .work = {}};
    for (const auto& [ref, chain] : chains_)
        report.work.chains[ref] = chain->record();
    for (const auto& [submitter, record] : signer_records_) {
        if (record.last_failure) report.work.signers[submitter] = record;
    }
    return report;
}

std::size_t LaneHost::backlog() const {
    std::size_t waiting = writer_.waiting();
    for (const auto& [submitter, slot] : slots_)
        waiting += slot->lane == nullptr ? 0 : slot->lane->unread();
    return waiting;
}

Instant LaneHost::local_deadline(Instant asked) const { return asked + options_.lease - options_.clock_skew_allowance; }

Task<void> LaneHost::keep_lane(SubmitterId submitter, LaneOptions options) {
    struct Closing {
        LaneHost& host;
        const SubmitterId& submitter;
        ~Closing() {
            host.slots_.erase(submitter);
            host.closed_.notify();
        }
    };
    const Closing closing{*this, submitter};
    const auto& slot = *slots_.at(submitter);
    std::uint32_t openings = 0;
    while (!slot.releasing) {
        const auto end = co_await open_guarded(submitter, options);
        if (end != LaneEnd::reopen) break;
        // An error in the store or in the lane: avoid a tight loop.
        co_await dependencies_.clock.sleep_for(std::chrono::milliseconds(50) * std::min(++openings, 20U));
    }
    // Best effort: a lease that is not released expires. Includes a lease whose release was requested while it was
    // being reopened.
    if (!slot.fence) co_return;
    const LeaseClaim claim{submitter, *slot.fence};
    if (co_await dependencies_.leases.release({claim}))
        log_critical_write(dependencies_.log, Severity::info, claim, std::nullopt, "the lease: released");
}

Task<std::optional<LaneEnd>> LaneHost::open_guarded(SubmitterId submitter, LaneOptions options) {
    const auto end = co_await caught(open_once(submitter, options));
    if (end) co_return *end;
    dependencies_.log.write(Severity::alert, "Lane failed; reopening it",
                            {{"submitter", submitter.to_string()}, {exception_field, what_of(end.error())}});
    co_return LaneEnd::reopen;
}

Task<std::optional<LaneEnd>> LaneHost::open_once(SubmitterId submitter, LaneOptions options) {
    const auto lease = co_await open_lease(submitter);
    if (!lease) co_return std::nullopt;
    auto& slot = *slots_.at(submitter);
    slot.fence = lease->fence;
    const auto end = co_await serve(submitter, options, *lease);
    if (end == LaneEnd::fenced) slot.fence.reset();
    co_return end;
}

Task<std::optional<HeldLease>> LaneHost::open_lease(SubmitterId submitter) {
    std::uint32_t failures = 0;
    while (!slots_.at(submitter)->releasing) {
        const auto asked = dependencies_.clock.monotonic();
        const auto opened = co_await dependencies_.leases.open(submitter, node_, options_.lease);
        dependencies_.telemetry.count(Counter::lease_acquire,
                                      opened ? name_of(opened->result) : name_of(opened.error()));
        if (opened && opened->fence) {
            note_opening({submitter, *opened->fence}, opened->result);
            co_return HeldLease{.fence = *opened->fence, .until = local_deadline(asked)};
        }
        if (opened && opened->result == LeaseResult::not_owner) co_return std::nullopt;
        co_await dependencies_.clock.sleep_for(std::chrono::milliseconds(100) * std::min(++failures, 30U));
    }
    co_return std::nullopt;
}

// Every opening raises the token by one; any further increase was caused by other nodes.
void LaneHost::note_opening(const LeaseClaim& claim, LeaseResult result) {
    log_critical_write(dependencies_.log, Severity::info, claim, std::nullopt,
                       fmt::format("the lease: {}", name_of(result)));
    const auto [last, is_first] = last_tokens_.try_emplace(claim.submitter, claim.fence.token);
    if (is_first) return;
    const auto others = claim.fence.token.value() - last->second.value() - 1;
    if (others > 0) dependencies_.telemetry.count(Counter::lease_token_jump, {}, others);
    last->second = claim.fence.token;
}

Task<LaneEnd> LaneHost::serve(SubmitterId submitter, LaneOptions options, HeldLease lease) {
    auto& slot = *slots_.at(submitter);
    auto& watch = *watches_.at(submitter.chain());
    Lane lane(executor_, submitter, options, world_, watch, writer_, lease);
    struct Serving {
        Slot& slot;
        ~Serving() {
            slot.lane = nullptr;
            slot.lease = nullptr;
        }
    };
    const Serving serving{slot};
    slot.lane = &lane;
    slot.lease = &lease;
    if (slot.releasing) lane.release();
    co_return co_await lane.run();
}

Task<void> LaneHost::keep_leases() {
    auto pause = options_.renew_every;
    while (true) {
        co_await dependencies_.clock.sleep_for(pause);
        // Two missed renewals would end a lane. A hanging renewal is therefore cancelled before the next is due, and
        // repeated at once; a late answer is ignored. The lanes continue until their own deadline.
        pause = Duration{};
        const bool in_time =
            co_await run_within(&dependencies_.clock, options_.renew_every * 2 / 3, renew_guarded(&pause));
        if (!in_time) dependencies_.telemetry.count(Counter::lease_renew_failure, "no_answer");
    }
}

Task<void> LaneHost::renew_guarded(Duration* next) {
    const bool well =
        co_await run_guarded(&dependencies_.log, "Lease renewal failed; retrying", node_.value(), renew_leases(next));
    if (!well) *next = options_.renew_every / 6;
}

Task<void> LaneHost::renew_leases(Duration* next) {
    std::vector<LeaseClaim> claims;
    for (const auto& [submitter, slot] : slots_) {
        if (slot->lease != nullptr && !slot->lease->lost) claims.push_back({submitter, slot->lease->fence});
    }
    if (claims.empty()) {
        *next = options_.renew_every;
        co_return;
    }
    const auto asked = dependencies_.clock.monotonic();
    const auto results = co_await dependencies_.leases.renew(claims, options_.lease);
    if (!results) {
        dependencies_.telemetry.count(Counter::lease_renew_failure, name_of(results.error()));
        *next = options_.renew_every / 6;
        co_return;
    }
    for (std::size_t i = 0; i < claims.size(); ++i)
        take_renewal(claims[i], results->at(i), asked);
    // A row that was locked by our own write is retried at once.
    const bool some_were_busy = std::ranges::find(*results, LeaseResult::busy) != results->end();
    *next = some_were_busy ? busy_renewal_pause : options_.renew_every;
}

void LaneHost::take_renewal(const LeaseClaim& claim, LeaseResult result, Instant asked) {
    dependencies_.telemetry.count(Counter::lease_acquire, name_of(result));
    if (result == LeaseResult::renewed)
        log_critical_write(dependencies_.log, Severity::debug, claim, std::nullopt, "the lease: renewed");
    if (result == LeaseResult::not_owner) dependencies_.telemetry.count(Counter::lease_renew_failure, name_of(result));
    const auto slot = slots_.find(claim.submitter);
    // Meanwhile the lane may have ended, or been reopened.
    if (slot == slots_.end() || slot->second->lease == nullptr || slot->second->lease->fence != claim.fence) return;
    if (result == LeaseResult::renewed) slot->second->lease->until = local_deadline(asked);
    if (result == LeaseResult::not_owner) {
        dependencies_.telemetry.count(Counter::lease_fenced, "renew");
        slot->second->lease->lost = true;
        slot->second->lane->lease_changed();
    }
}

}  // namespace fencepost::lane
