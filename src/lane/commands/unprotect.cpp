#include "lane/commands/unprotect.hpp"

#include <fmt/format.h>

#include "lane/commands/unprotect_plan.hpp"

namespace fencepost::lane {
namespace {

// The counts are read first: what becomes final afterwards was already consumed, or is not included.
Task<void> read_chain(LaneContext* context, Command command) {
    auto& lane = *context;
    auto counts = co_await lane.chain().counts(lane.submitter);
    auto finalized = co_await lane.chain().transaction_count(lane.submitter, At::finalized);
    lane.inbox.put(UnprotectRead{std::move(command), std::move(counts), std::move(finalized)});
}

StoppedSubmitter stopped_submitter(const LaneContext& lane, const LaneMemory& memory, SubmitterStatus status) {
    StoppedSubmitter stopped{.status = status, .watch_from = memory.watch_from, .is_shared = lane.nonces.is_shared()};
    if (memory.has_cursor) stopped.cursor = memory.window.next();
    for (const auto& [nonce, tracked] : memory.tracked) {
        auto position = tracked.tx.position;
        // Not recorded yet; for a settled transaction it never is.
        if (tracked.taken && !tracked.lost) position.sub = SubState::nonce_taken;
        stopped.holders.push_back({tracked.tx.id, nonce, position, is_mined(tracked.tx)});
    }
    stopped.watches_settled = !memory.blocks.settled.empty();
    return stopped;
}

void refuse(const LaneContext& lane, const Command& command, const std::string& why) {
    lane.world.log.write(Severity::warning, "Unprotect refused",
                         {{"submitter", lane.name}, {"by", command.requested_by}, {"why", why}});
}

void apply_plan(const LaneContext& lane, const LaneMemory& memory, const Command& command, const UnprotectPlan& plan,
                Turn& turn) {
    const auto cursor = memory.has_cursor ? std::optional(memory.window.next()) : std::nullopt;
    if (cursor != plan.cursor) turn.move_cursor(cursor, plan.cursor);
    if (plan.moves_watch) turn.watch_from(plan.cursor);
    turn.lift_protect();
    lane.world.log.write(Severity::info, "Submitter unprotected by command",
                         {{"submitter", lane.name},
                          {"by", command.requested_by},
                          {"why", command.reason},
                          {"cursor", fmt::format("{}", plan.cursor)},
                          {"stoppedBecause", memory.status.reason}});
}

}  // namespace

void start_unprotect(LaneContext& lane, LaneMemory& memory, const Command& command) {
    if (memory.unprotecting) return;
    memory.unprotecting = true;
    lane.spawn(read_chain(&lane, command));
}

void handle_unprotect(LaneContext& lane, LaneMemory& memory, const UnprotectRead& read, Turn& turn) {
    memory.unprotecting = false;
    turn.command_done(read.command.sequence);
    if (!read.counts) return refuse(lane, read.command, read.counts.error().what);
    if (!read.finalized) return refuse(lane, read.command, read.finalized.error().what);
    const auto plan = plan_unprotect(stopped_submitter(lane, memory, turn.status()), {*read.counts, *read.finalized});
    if (plan.refusal) return refuse(lane, read.command, *plan.refusal);
    apply_plan(lane, memory, read.command, plan, turn);
}

}  // namespace fencepost::lane
