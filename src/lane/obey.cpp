#include "lane/obey.hpp"

#include "lane/unprotect.hpp"

namespace fencepost::lane {
namespace {

Task<void> read_commands(LaneContext* context) {
    auto& lane = *context;
    auto pending = co_await lane.world.commands.pending(lane.submitter);
    if (pending && !pending->empty()) lane.inbox.put(CommandsRead{std::move(*pending)});
}

void log_status(LaneContext& lane, const Command& command) {
    lane.world.log.write(Severity::info, "The submitter's status was changed by command",
                         {{"submitter", lane.submitter.to_string()},
                          {"command", std::string(name_of(command.kind))},
                          {"by", command.requested_by},
                          {"why", command.reason}});
}

// False: not now.
bool obey(LaneContext& lane, const Command& command, Turn& turn) {
    switch (command.kind) {
        case CommandKind::pause:
        case CommandKind::protect:
            turn.set_status(command.kind == CommandKind::pause ? SubmitterStatus::paused : SubmitterStatus::protect,
                            command.reason);
            log_status(lane, command);
            return true;
        case CommandKind::resume:
            // A PROTECT is lifted by unprotect only, which looks at the chain first.
            if (turn.status() == SubmitterStatus::paused) turn.set_status(SubmitterStatus::active, "");
            log_status(lane, command);
            return true;
        case CommandKind::cancel:
        case CommandKind::speed_up:
        case CommandKind::unprotect:
            return false;
    }
    FP_UNREACHABLE();
}

}  // namespace

void start_reading_commands(LaneContext& lane) { lane.send_out(read_commands(&lane)); }

void take_commands(LaneContext& lane, LaneMemory& memory, const CommandsRead& read, Turn& turn) {
    for (const auto& command : read.commands) {
        // It takes a look at the chain; what was asked for after it waits, or it would undo that.
        if (command.kind == CommandKind::unprotect) return start_unprotecting(lane, memory, command);
        if (obey(lane, command, turn)) turn.command_done(command.sequence);
    }
}

}  // namespace fencepost::lane
