#include "lane/commands/requeue.hpp"

#include <fmt/format.h>

#include "domain/tx/requeue.hpp"

namespace fencepost::lane {
namespace {

void log(const LaneContext& lane, const Command& command, Severity severity, std::string_view message,
         std::string_view why = {}) {
    lane.world.log.write(severity, message,
                         {{"submitter", lane.name},
                          {"tx", command.tx ? fmt::format("{}", *command.tx) : ""},
                          {"by", command.requested_by},
                          {"why", std::string(why.empty() ? command.reason : why)}});
}

std::string refusal_of(Position position) {
    if (position == Position{State::stuck, SubState::nonce_taken}) {
        return "the external transaction at its nonce is not final yet, and a reorg may free the nonce; retry "
               "once this one has failed";
    }
    return fmt::format("it is {}; only a transaction that permanently lost its nonce can be requeued", position);
}

// A transaction in the lane's memory, or a settled one that it has dropped.
void note(const Tracked* tracked, const Command& command, HistoryStep step, Turn& turn) {
    if (tracked != nullptr) {
        turn.edit(tracked->tx).note(step.kind, std::move(step.detail));
    } else if (is_final(command.tx_position->state)) {
        auto& update = turn.edit_settled(*command.tx, *command.tx_position);
        update.history.push_back(std::move(step));
    }
}

void refuse(const LaneContext& lane, const Tracked* tracked, const Command& command, const std::string& why,
            Turn& turn) {
    log(lane, command, Severity::warning, "Requeue refused", why);
    note(tracked, command,
         {HistoryKind::diagnosed, fmt::format("requeue requested by {} refused: {}", command.requested_by, why)}, turn);
}

void requeue_intent(const LaneContext& lane, const Tracked* tracked, const Command& command, Turn& turn) {
    const auto by = fmt::format("by {}: {}", command.requested_by, command.reason);
    note(tracked, command, {HistoryKind::requeued, fmt::format("as {}, {}", requeued_id(*command.tx), by)}, turn);
    turn.requeue(*command.tx, fmt::format("from {}, {}", *command.tx, by));
    log(lane, command, Severity::info, "Intent requeued by command");
}

}  // namespace

bool requeue(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn) {
    if (!command.tx || !command.tx_position) {
        log(lane, command, Severity::warning, "Requeue refused", "the submitter has no such transaction");
        return true;
    }
    const auto* tracked = memory.find(*command.tx);
    // It has been settled and dropped, or moved on, since the command was read.
    const bool is_gone =
        tracked == nullptr && !is_final(command.tx_position->state) && command.tx_position->state != State::queued;
    if (is_gone || turn.has_moved(*command.tx)) return false;
    if (command.requeued_as || memory.requeued.contains(*command.tx) || turn.has_requeued(*command.tx)) {
        log(lane, command, Severity::info, "Intent already requeued");
        return true;
    }
    const auto position = tracked != nullptr ? tracked->tx.position : *command.tx_position;
    if (may_be_requeued(position)) {
        requeue_intent(lane, tracked, command, turn);
    } else {
        refuse(lane, tracked, command, refusal_of(position), turn);
    }
    return true;
}

}  // namespace fencepost::lane
