#include "lane/commands/execute_commands.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lane/broadcast/broadcast.hpp"
#include "lane/commands/requeue.hpp"
#include "lane/commands/unprotect.hpp"
#include "lane/track/reconcile.hpp"

namespace fencepost::lane {
namespace {

// A transaction that a command names may be further back in the queue than the lane has read.
Task<void> read_commands(LaneContext* context) {
    auto& lane = *context;
    auto pending = co_await lane.world.commands.pending(lane.submitter);
    if (!pending || pending->empty()) co_return;
    CommandsRead read{.commands = std::move(*pending)};
    for (const auto& command : read.commands) {
        if (command.kind != CommandKind::cancel || !command.queued_at) continue;
        auto found = co_await lane.world.store.head_of_queue(lane.submitter, *command.queued_at, 1);
        if (found && !found->empty() && found->front().id == *command.tx) read.queued.push_back(found->front());
    }
    lane.inbox.put(std::move(read));
}

void log_command(LaneContext& lane, const Command& command, std::string_view message) {
    lane.world.log.write(Severity::info, message,
                         {{"submitter", lane.name},
                          {"command", std::string(name_of(command.kind))},
                          {"tx", command.tx ? fmt::format("{}", *command.tx) : ""},
                          {"by", command.requested_by},
                          {"why", command.reason}});
}

void log_status(LaneContext& lane, const Command& command) {
    log_command(lane, command, "Submitter status changed by command");
}

Tracked* find_in_flight(LaneMemory& memory, const Command& command) {
    auto* tracked = command.tx ? memory.find(*command.tx) : nullptr;
    if (tracked != nullptr) memory.touch(*tracked);
    return tracked;
}

bool cancel_queued(const QueueItem& item, const Command& command, Turn& turn) {
    // It may get its nonce in this very turn: then the next read finds it in flight (failure 25).
    if (turn.has_moved(item.queued.id)) return false;
    auto& edit = turn.edit(item.queued);
    if (edit.move(Trigger::cancel) != Moved::yes) return false;
    edit.update.error = "cancelled";
    edit.tell(TxFailed{"cancelled"});
    edit.note(HistoryKind::cancelled, fmt::format("by {}: {}", command.requested_by, command.reason));
    return true;
}

bool is_too_late(LaneContext& lane, const Tracked& tracked, const Command& command, Turn& turn) {
    if (tracked.waits_to_be_mined() && !turn.has_new_receipt(tracked.tx)) return false;
    const auto note = fmt::format("{} requested by {} came too late", name_of(command.kind), command.requested_by);
    turn.edit(tracked.tx).note(HistoryKind::diagnosed, note);
    log_command(lane, command, "Command came too late");
    return true;
}

// True: done in this turn. Otherwise it is completed with the commit that records its effect, or checked again.
bool cancel(LaneContext& lane, LaneMemory& memory, const Command& command, const CommandsRead& read, Turn& turn) {
    if (!command.tx) return true;
    if (auto* tracked = find_in_flight(memory, command)) {
        if (is_too_late(lane, *tracked, command, turn) || needs_gap_filler(tracked->tx)) return true;
        tracked->request_replacement({.kind = AttemptKind::filler,
                                      .why = is_settled(tracked->tx) ? Abandonment::revoked : Abandonment::cancelled,
                                      .asked = true,
                                      .commands = {command.sequence},
                                      .asked_by = fmt::format("by {}: {}", command.requested_by, command.reason)});
        return false;
    }
    const auto deep = std::ranges::find(read.queued, *command.tx, &QueuedIntent::id);
    // It leaves the queue in this turn, which preserves the order.
    if (memory.find_queued(*command.tx) == nullptr && deep != read.queued.end())
        memory.merge_queue({*deep}, lane.now(), lane.node_time());
    if (const auto* item = memory.find_queued(*command.tx)) return cancel_queued(*item, command, turn);
    if (command.queued_at) return false;
    log_command(lane, command, "Command came too late");
    return true;
}

bool speed_up(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn) {
    auto* tracked = find_in_flight(memory, command);
    if (tracked == nullptr) {
        log_command(lane, command, "Command refused: only a transaction in flight can be sped up");
        return true;
    }
    if (is_too_late(lane, *tracked, command, turn)) return true;
    if (is_underfunded(tracked->tx)) {
        turn.edit(tracked->tx).note(HistoryKind::diagnosed, "not sped up: the account cannot pay for the current fee");
        return true;
    }
    if (is_in_doubt(tracked->tx)) {
        turn.edit(tracked->tx).note(HistoryKind::diagnosed, "not sped up: unknown whether it was sent");
        return true;
    }
    tracked->request_replacement({.kind = AttemptKind::bump, .asked = true, .commands = {command.sequence}});
    return false;
}

// A transaction that was not sent: settled and dropped from memory, queued, or unknown.
bool refuse_resubmit(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn) {
    const auto* item = command.tx ? memory.find_queued(*command.tx) : nullptr;
    const bool is_settled = command.tx_position && is_final(command.tx_position->state);
    // It has moved on since the command was read.
    if (item == nullptr && command.tx_position && !is_settled && !command.queued_at) return false;
    const auto note = fmt::format("resubmit requested by {} {}", command.requested_by,
                                  is_settled ? "came too late" : "refused: not sent yet");
    if (item != nullptr) {
        if (turn.has_moved(item->queued.id)) return false;
        turn.edit(item->queued).note(HistoryKind::diagnosed, note);
    } else if (is_settled) {
        turn.edit_settled(*command.tx, *command.tx_position).history.push_back({HistoryKind::diagnosed, note});
    }
    log_command(lane, command,
                is_settled ? "Command came too late" : "Command refused: only a transaction in flight can be resent");
    return true;
}

// Nothing is sent behind a transaction with an unknown result, not even by command.
bool waits_for_grey_zone(const LaneMemory& memory, const Tracked& tracked) {
    const auto is_grey = [](const auto& entry) { return is_in_doubt(entry.second.tx) || entry.second.send_uncertain; };
    return std::any_of(memory.tracked.begin(), memory.tracked.upper_bound(*tracked.tx.nonce), is_grey);
}

bool resubmit(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn) {
    auto* tracked = find_in_flight(memory, command);
    if (tracked == nullptr) return refuse_resubmit(lane, memory, command, turn);
    if (is_too_late(lane, *tracked, command, turn)) return true;
    if (waits_for_grey_zone(memory, *tracked)) {
        turn.edit(tracked->tx).note(HistoryKind::diagnosed, "not resent: an earlier send has an unknown result");
        return true;
    }
    const auto by = fmt::format("by {}: {}", command.requested_by, command.reason);
    if (!claim_requested_resend(lane, *tracked, by, turn)) return false;
    log_command(lane, command, "Transaction resent by command");
    return true;
}

bool reconcile(LaneContext& lane, LaneMemory& memory, const Command& command) {
    if (!reconcile_now(lane, memory)) return false;
    log_command(lane, command, "Reconciliation started by command");
    return true;
}

// False: not now.
bool execute(LaneContext& lane, LaneMemory& memory, const Command& command, const CommandsRead& read, Turn& turn) {
    switch (command.kind) {
        case CommandKind::pause:
        case CommandKind::protect:
            turn.set_status(command.kind == CommandKind::pause ? SubmitterStatus::paused : SubmitterStatus::protect,
                            command.reason);
            log_status(lane, command);
            return true;
        case CommandKind::resume:
            // Only unprotect lifts a PROTECT, because it checks the chain first.
            if (turn.status() == SubmitterStatus::paused) turn.set_status(SubmitterStatus::active, "");
            log_status(lane, command);
            return true;
        case CommandKind::cancel:
            return cancel(lane, memory, command, read, turn);
        case CommandKind::speed_up:
            return speed_up(lane, memory, command, turn);
        case CommandKind::requeue:
            return requeue(lane, memory, command, turn);
        case CommandKind::resubmit:
            return resubmit(lane, memory, command, turn);
        case CommandKind::reconcile:
            return reconcile(lane, memory, command);
        case CommandKind::unprotect:
            return false;
    }
    FP_UNREACHABLE();
}

}  // namespace

void start_command_read(LaneContext& lane) { lane.spawn(read_commands(&lane)); }

void handle_commands(LaneContext& lane, LaneMemory& memory, const CommandsRead& read, Turn& turn) {
    for (const auto& command : read.commands) {
        if (memory.executed.contains(command.sequence)) continue;
        // Unprotect reads the chain first; later commands wait, otherwise it would undo them.
        if (command.kind == CommandKind::unprotect) return start_unprotect(lane, memory, command);
        if (execute(lane, memory, command, read, turn)) turn.command_done(command.sequence);
    }
}

}  // namespace fencepost::lane
