#include "lane/loop/lane.hpp"

#include <algorithm>

#include "base/async/cancellation.hpp"
#include "lane/allocate/allocate.hpp"
#include "lane/allocate/fill_nonce_gap.hpp"
#include "lane/allocate/nonce_bootstrap.hpp"
#include "lane/allocate/shared_nonces.hpp"
#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/delegation.hpp"
#include "lane/broadcast/grey_zone.hpp"
#include "lane/broadcast/pool_query.hpp"
#include "lane/broadcast/pool_repair.hpp"
#include "lane/broadcast/submit.hpp"
#include "lane/broadcast/window.hpp"
#include "lane/bump/escalate.hpp"
#include "lane/bump/replace.hpp"
#include "lane/commands/execute_commands.hpp"
#include "lane/commands/unprotect.hpp"
#include "lane/confirm/confirm.hpp"
#include "lane/confirm/settle.hpp"
#include "lane/loop/wake_ups.hpp"
#include "lane/loop/write_log.hpp"
#include "lane/prepare/funds.hpp"
#include "lane/prepare/prepare.hpp"
#include "lane/recovery/recover.hpp"
#include "lane/recovery/reopen_check.hpp"
#include "lane/track/diagnose.hpp"
#include "lane/track/external_tx.hpp"
#include "lane/track/reconcile.hpp"
#include "lane/track/track.hpp"

namespace fencepost::lane {

namespace {

// Another transaction holds the lease row: our own renewal, or a takeover.
constexpr Duration busy_pause = std::chrono::milliseconds(10);
// With the wake-up check enabled, every n-th turn is checked.
constexpr std::uint64_t checked_turns = 3;

bool is_sending(const LaneMemory& memory) {
    return std::ranges::any_of(memory.tracked,
                               [](const auto& entry) { return entry.second.activity == Activity::sending; });
}

std::unique_ptr<NonceSupply> supply_for(const Executor& executor, const SubmitterId& submitter, const Fence& opening,
                                        const LaneOptions& options, const LaneDependencies& world, Chain& chain) {
    if (options.mode == NonceMode::strict) return std::make_unique<CursorNonces>();
    return std::make_unique<SharedNonces>(executor, submitter, opening, options.relaxed, world, chain);
}

}  // namespace

Lane::Lane(const Executor& executor, SubmitterId submitter, LaneOptions options, LaneDependencies& world,
           ChainWatch& watch, WriteBatcher& writer, HeldLease& lease)
    : writer_(writer),
      inbox_(executor),
      tasks_(executor),
      nonces_(supply_for(executor, submitter, lease.fence, options, world, watch.chain())),
      context_{.submitter = std::move(submitter),
               .options = std::move(options),
               .world = world,
               .watch = watch,
               .lease = lease,
               .inbox = inbox_,
               .tasks = tasks_,
               .listener = *this,
               .nonces = *nonces_} {}

void Lane::wake() {
    woken_ = true;
    inbox_.notify();
}

void Lane::release() {
    releasing_ = true;
    inbox_.notify();
}

void Lane::on_head(const HeadChange& change) {
    const auto from = change.common_ancestor ? BlockNumber(change.common_ancestor->number.next()) : BlockNumber{};
    head_update_ = HeadUpdate{.from = head_update_ ? std::min(head_update_->from, from) : from,
                              .is_reorg = change.is_reorg() || (head_update_ && head_update_->is_reorg),
                              .is_new_block = true};
    inbox_.notify();
}
void Lane::on_receipt(const Receipt& receipt) {
    context_.world.telemetry.count(Counter::receipt_check, "hit");
    inbox_.put(ReceiptSeen{receipt});
}
void Lane::on_receipt_missed(const TxHash& hash) { inbox_.put(ReceiptMissed{hash}); }

Task<LaneEnd> Lane::run() {
    context_.watch.listen(*this);
    std::exception_ptr error;
    auto end = LaneEnd::fenced;
    try {
        end = co_await live();
    } catch (...) {
        error = std::current_exception();
    }
    // Counted once, by the first to detect it; here the local deadline of the lease has passed.
    if (!error && end == LaneEnd::fenced && !context_.lease.lost) count_fenced("deadline");
    context_.watch.ignore(*this);
    tasks_.cancel();
    // Also a cancelled lane waits for its background tasks: they use what it owns.
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    // Cancellation takes precedence over other errors; the reset below clears the state.
    if (cancellation.cancelled() != asio::cancellation_type::none) {
        error = std::make_exception_ptr(Cancelled());
    }
    co_await asio::this_coro::reset_cancellation_state();
    co_await tasks_.join();
    if (error) std::rethrow_exception(error);
    co_return end;
}

void Lane::count_fenced(std::string_view operation) {
    context_.world.telemetry.count(Counter::lease_fenced, operation);
    context_.lease.lost = true;
}

Task<LaneEnd> Lane::live() {
    auto opened = co_await open_state();
    if (!opened) {
        if (!context_.may_act()) co_return LaneEnd::fenced;
        co_return releasing_ ? LaneEnd::released : LaneEnd::reopen;
    }
    const auto& state = opened->state;
    LaneMemory memory(state, context_.options.window, context_.watch.shares());
    memory.disable(context_.options.wake_ups.disabled);
    memory.verification.head_known_at = context_.now() + context_.options.view_timeout;
    if (!co_await load_spending(&memory)) co_return context_.may_act() ? LaneEnd::reopen : LaneEnd::fenced;
    handle_head(context_, memory, {});
    recover_transactions(context_, memory, state, opened->read_at);
    // The cursor was just compared. Transactions in flight were not: their nonces may be consumed already.
    memory.reconcile.due =
        context_.now() + (memory.window.in_flight() > 0 ? Duration{} : context_.options.reconcile_interval);
    if (context_.nonces.is_shared()) memory.gap_check.due = context_.now() + context_.options.relaxed.gap_fill_delay;
    while (true) {
        if (const auto end = co_await loop(&memory)) co_return *end;
    }
}

// If its chain does not answer, the lane keeps its lease and retries: only the cluster code knows whether another node
// could do better, and ending here would only raise tokens (failure 38).
Task<std::optional<Lane::Opened>> Lane::open_state() {
    std::uint32_t failures = 0;
    RetryDeadline patience;
    while (context_.may_act() && !releasing_) {
        auto state = co_await context_.world.store.load(context_.submitter);
        if (!state) co_return std::nullopt;
        const ReadAt read_at{context_.now(), context_.node_time()};
        const auto first = co_await compare_with_chain(&context_, *state, &patience);
        if (first && !*first) co_return Opened{std::move(*state), read_at};
        if (first) {
            // Written alone, and then the state is read again, so that the lane has exactly what the database has.
            const auto answer = co_await writer_.write(**first);
            if (answer == WriteAnswer::fenced) count_fenced("write");
            if (!answer || *answer == WriteAnswer::fenced || *answer == WriteAnswer::conflict) co_return std::nullopt;
            if (*answer == WriteAnswer::busy) co_await context_.world.clock.sleep_for(busy_pause);
            if (*answer == WriteAnswer::applied) {
                log_write(context_.world.log, **first);
                alert_if_stopped(context_, **first);
            }
            continue;
        }
        if (failures++ == 0) {
            context_.world.log.write(Severity::warning, "Lane waits for its chain",
                                     {{"submitter", context_.name}, {"why", first.error().what}});
        }
        const auto pause = context_.backoff(failures);
        // While it waits for better answers, the chain did answer.
        co_await wait_until(context_.now() + (patience.until ? std::min(pause, mismatch_retry) : pause));
    }
    co_return std::nullopt;
}

Task<bool> Lane::load_spending(LaneMemory* memory) {
    if (!limits_window(context_.options.policy)) co_return true;
    const auto recent =
        co_await context_.world.store.allocated_within(context_.submitter, context_.options.policy->limits.window);
    if (recent) memory->spent.load(*recent, context_.now());
    co_return recent.has_value();
}

Task<std::optional<LaneEnd>> Lane::loop(LaneMemory* known) {
    auto& memory = *known;
    if (!context_.may_act()) co_return LaneEnd::fenced;
    Turn turn(context_.submitter, context_.lease.fence, memory.status.status);
    resize_window(memory);
    take_messages(memory, turn);
    if (task_failed_) co_return LaneEnd::reopen;
    const auto touched = gather(memory);
    decide(memory, touched, turn);
    context_.nonces.follow(memory, turn);
    store_window(memory, turn);
    auto again = turn.take_postponed();
    if (!turn.empty()) {
        const auto end = co_await commit(&memory, std::move(turn));
        if (end) co_return end;
    }
    for (auto& message : again)
        inbox_.put(std::move(message));
    if (!context_.may_act()) co_return LaneEnd::fenced;
    act(memory, touched);
    if (releasing_ && !is_sending(memory)) co_return LaneEnd::released;
    const bool busy = memory.signing.running || tasks_.running() > 0 || !inbox_.empty();
    idle_ = !busy && memory.queue.empty() && !memory.is_watching();
    // The commit may have made its next step due, or other deadlines may have passed meanwhile.
    if (memory.has_touched() || memory.next_due() <= context_.now() || head_update_ || !inbox_.empty())
        co_return std::nullopt;
    check_wake_ups(memory);
    co_await wait_until(next_deadline(memory));
    co_return std::nullopt;
}

void Lane::check_wake_ups(const LaneMemory& memory) {
    const auto& missed = context_.options.wake_ups.missed;
    if (!missed || releasing_ || ++checks_ % checked_turns != 0) return;
    if (const auto what = find_missed(context_, memory)) missed(context_.submitter, *what);
    const auto& check = context_.options.wake_ups;
    if (!check.stored) return;
    const auto stored = check.stored(context_.submitter, context_.lease.fence);
    if (!stored) return;
    if (const auto what = find_forgotten(context_, memory, *stored)) check.forgotten(context_.submitter, *what);
}

std::vector<Nonce> Lane::gather(LaneMemory& memory) {
    if (head_update_) {
        handle_head(context_, memory, *std::exchange(head_update_, std::nullopt));
    } else if (memory.blocks_due <= context_.now()) {
        handle_head(context_, memory, {});
    }
    memory.touch_due(context_.now());
    return memory.take_touched();
}

void Lane::take_messages(LaneMemory& memory, Turn& turn) {
    for (auto& message : inbox_.take())
        take(memory, message, turn);
}

void Lane::take(LaneMemory& memory, Message& message, Turn& turn) {
    struct Taker {
        Lane& self;
        LaneMemory& memory;
        Turn& turn;
        void operator()(const TaskFailed& /*failed*/) const { self.task_failed_ = true; }
        void operator()(QueueRead& read) const {
            self.reading_queue_ = false;
            memory.merge_queue(std::move(read.items), self.context_.now(), self.context_.node_time());
        }
        void operator()(const Prepared& prepared) const { handle_preparation(self.context_, memory, prepared, turn); }
        void operator()(const BalanceRead& read) const { handle_balance(self.context_, memory, read); }
        void operator()(SignedBatch& batch) const { handle_signed(self.context_, memory, std::move(batch), turn); }
        void operator()(const Sent& sent) const { handle_sent(self.context_, memory, sent, turn); }
        void operator()(const NotSent& kept) const { handle_not_sent(self.context_, memory, kept); }
        void operator()(const ReceiptSeen& seen) const { handle_receipt(self.context_, memory, seen, turn); }
        void operator()(const ReceiptMissed& missed) const { handle_missed(self.context_, memory, missed); }
        void operator()(const ReceiptsMissing& missing) const { handle_missing(self.context_, memory, missing, turn); }
        void operator()(const ReceiptsUnknown& unknown) const { handle_unknown(self.context_, memory, unknown); }
        void operator()(const FailureExplained& explained) const { handle_reason(self.context_, memory, explained); }
        void operator()(const DeepBlockRead& read) const { handle_deep_block(self.context_, memory, read); }
        void operator()(const BlockReadBack& read) const { handle_read_back(self.context_, memory, read); }
        void operator()(const NonceTaken& taken) const { handle_taken(self.context_, memory, taken, turn); }
        void operator()(const NonceFree& free) const { handle_free(self.context_, memory, free, turn); }
        void operator()(const ExternalBlockRead& r) const { handle_external_block(self.context_, memory, r, turn); }
        void operator()(const CommandsRead& read) const { handle_commands(self.context_, memory, read, turn); }
        void operator()(const Replaced& replaced) const { handle_replaced(self.context_, memory, replaced, turn); }
        void operator()(const StuckDecided& decided) const {
            handle_policy_decision(self.context_, memory, decided, turn);
        }
        void operator()(const NoncesAligned& aligned) const { handle_aligned(self.context_, memory, aligned); }
        void operator()(const GapRead& read) const { handle_gap(self.context_, memory, read); }
        void operator()(const WorkSubmitted& /*handed_in*/) const { self.woken_ = true; }
        void operator()(const CountsRead& read) const { handle_counts(self.context_, memory, read, turn); }
        void operator()(const ExternalUseRead& read) const {
            handle_external_use_read(self.context_, memory, read, turn);
        }
        void operator()(const SlotsRead& read) const { handle_slots(self.context_, memory, read, turn); }
        void operator()(const Submitted& asked) const { handle_submitted(self.context_, memory, asked, turn); }
        void operator()(const SubmissionFound& found) const { handle_found(self.context_, memory, found, turn); }
        void operator()(const GreyZoneLookup& look) const { handle_lookup(self.context_, memory, look, turn); }
        void operator()(const PoolsRead& read) const { handle_pool_views(self.context_, memory, read, turn); }
        void operator()(const DelegationRead& read) const { handle_delegation(self.context_, memory, read); }
        void operator()(const UnprotectRead& read) const { handle_unprotect(self.context_, memory, read, turn); }
    };
    std::visit(Taker{*this, memory, turn}, message);
}

// Two passes: rules about several transactions (order behind a gap, funds) depend on the reports about each of them.
void Lane::decide(LaneMemory& memory, const std::vector<Nonce>& touched, Turn& turn) {
    for (const auto nonce : touched) {
        if (auto* tracked = memory.find(nonce)) update_indexes(context_, memory, *tracked);
    }
    for (const auto nonce : touched) {
        if (auto* tracked = memory.find(nonce)) decide_one(memory, *tracked, turn);
    }
    move_watch(context_, memory, turn);
    if (!releasing_) time_out_queue(context_, memory, turn);
}

// Chain facts come before deadlines: a mined transaction is not sent, bumped or abandoned.
void Lane::decide_one(LaneMemory& memory, Tracked& tracked, Turn& turn) {
    roll_back_if_orphaned(context_, memory, tracked, turn);
    update_external_tx(context_, tracked, turn);
    settle_if_final(context_, memory, tracked, turn);
    if (releasing_) return;
    note_if_uncertain(context_, tracked, turn);
    drop_obsolete_request(context_, tracked, turn);
    if (turn.has_new_receipt(tracked.tx)) return;
    apply_decision(context_, memory, decide_now(context_, memory, tracked), tracked, turn);
}

Task<std::optional<LaneEnd>> Lane::commit(LaneMemory* known, Turn turn) {
    auto& memory = *known;
    turn.record_progress(context_, memory);
    while (true) {
        const auto answer = co_await writer_.write(turn.to_write());
        if (!answer) co_return LaneEnd::reopen;
        switch (*answer) {
            case WriteAnswer::applied:
                if (context_.world.log.enabled(Severity::debug)) log_write(context_.world.log, turn.to_write());
                for (const auto& alert : turn.alerts())
                    context_.world.alerts.raise(alert);
                // A cursor that jumped is read again, and compared with the chain before it is used.
                if (turn.lifts_protect()) co_return LaneEnd::reopen;
                turn.apply_to(context_, memory);
                // Funds of new allocations are reserved before further ones: another batch may be ready.
                for (const auto nonce : memory.touched())
                    update_indexes(context_, memory, memory.tracked.at(nonce));
                update_window(context_, memory);
                start_send(context_, memory, turn.sends());
                co_return std::nullopt;
            case WriteAnswer::fenced:
                count_fenced("write");
                co_return LaneEnd::fenced;
            case WriteAnswer::conflict:
                context_.world.log.write(Severity::warning, "Write conflict; reloading the lane",
                                         {{"submitter", context_.name}});
                co_return LaneEnd::reopen;
            case WriteAnswer::busy:
                if (!context_.may_act()) co_return LaneEnd::fenced;
                co_await context_.world.clock.sleep_for(busy_pause);
        }
    }
}

void Lane::act(LaneMemory& memory, const std::vector<Nonce>& touched) {
    if (releasing_) return;  // only running sends are awaited; the next owner continues the rest
    update_window(context_, memory);
    start_activities(context_, memory, touched);
    start_repair(context_, memory);
    start_pool_query(context_, memory);
    resize_window(memory);
    start_reconciling(context_, memory);
    start_diagnosis(context_, memory);
    start_gap_check(context_, memory);
    poll_for_work(memory);
    start_prepare(context_, memory);
    start_balance_read(context_, memory);
    start_sign(context_, memory);
}

void Lane::poll_for_work(LaneMemory& memory) {
    const bool due = woken_ || poll_at_ <= context_.now();
    const bool hungry = queue_may_have_more_ && memory.queue.size() < memory.window.size();
    if (reading_queue_ || (!due && !hungry)) return;
    if (due) start_command_read(context_);
    woken_ = false;
    reading_queue_ = true;
    memory.left_queue.clear();
    poll_at_ = context_.now() + context_.options.poll_interval;
    auto from = poll_from_;
    if (full_scan_at_ <= context_.now()) {
        full_scan_at_ = context_.now() + context_.options.full_scan_interval;
        from = AcceptSequence{};
        // One interval behind, so that a late commit keeps its place before later intents.
        poll_from_ = std::exchange(next_poll_from_, memory.low_water);
    }
    context_.spawn(read_queue(from, memory.window.size()));
}

Task<void> Lane::read_queue(AcceptSequence from, std::size_t room) {
    const std::size_t limit = std::max<std::size_t>(64, std::size_t{2} * room);
    auto items = co_await context_.world.store.head_of_queue(context_.submitter, from, limit);
    queue_may_have_more_ = items && items->size() == limit;
    inbox_.put(QueueRead{items ? std::move(*items) : std::vector<QueuedIntent>{}});
}

// Work that is due but not started waits for an event that wakes the lane: only future deadlines count.
Instant Lane::next_deadline(const LaneMemory& memory) const {
    const auto now = context_.now();
    auto deadline = context_.lease.until;
    const auto consider = [&](Instant at) {
        if (at > now) deadline = std::min(deadline, at);
    };
    if (!reading_queue_ && !releasing_) deadline = std::min(deadline, poll_at_);
    for (const auto& question :
         {memory.signing, memory.balance_read, memory.reconcile, memory.diagnosis, memory.gap_check})
        consider(question.due);
    consider(memory.next_due());
    consider(memory.pools.look.next());
    consider(next_delegation_check(memory));
    return deadline;
}

Task<void> Lane::wait_until(Instant deadline) { return inbox_.wait_until(&context_.world.clock, deadline); }

}  // namespace fencepost::lane
