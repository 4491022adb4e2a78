#include "lane/loop/write_log.hpp"

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "ports/critical_write.hpp"

namespace fencepost::lane {
namespace {

std::string describe(const TxUpdate& update) {
    auto text = update.expected == update.to ? fmt::format("{}", update.to)
                                             : fmt::format("{} to {}", update.expected, update.to);
    if (update.nonce) text += fmt::format(", nonce {}", *update.nonce);
    for (const auto& attempt : update.attempts)
        text += fmt::format(", {} {}", name_of(attempt.kind), to_hex_prefixed(attempt.hash.view()));
    for (const auto& claim : update.claims)
        text += fmt::format(", {} by the connector", name_of(claim.kind));
    if (update.sends > 0) text += fmt::format(", sent {}", update.sends);
    if (update.next_action_in) text += ", next action claimed";
    if (std::holds_alternative<Receipt>(update.receipt)) text += ", receipt";
    if (std::holds_alternative<RollBackReceipt>(update.receipt)) text += ", receipt rolled back";
    if (update.receipt_missing) text += ", no receipt";
    if (update.requeue) text += ", queued again";
    for (const auto& step : update.history)
        text += fmt::format(", {}", name_of(step.kind));
    return text;
}

// Empty when the write concerns transactions only.
std::string about_submitter(const LaneWrite& write) {
    std::string text;
    if (write.cursor) text += fmt::format(", next nonce {}", write.cursor->next);
    if (write.watch_from) text += fmt::format(", watch from {}", *write.watch_from);
    if (write.status) text += fmt::format(", {}", name_of(write.status->status));
    for (const auto sequence : write.commands_done)
        text += fmt::format(", command {} done", sequence);
    for (const auto& mark : write.nonce_marks)
        text += fmt::format(", nonce {} {}", mark.nonce, name_of(mark.status));
    return text.empty() ? text : text.substr(2);
}

}  // namespace

void log_write(Log& log, const LaneWrite& write) {
    if (!log.enabled(Severity::debug)) return;
    const LeaseClaim claim{write.submitter, write.fence};
    for (const auto& update : write.transactions)
        log_critical_write(log, Severity::debug, claim, update.tx, describe(update));
    const auto rest = about_submitter(write);
    if (!rest.empty()) log_critical_write(log, Severity::debug, claim, std::nullopt, rest);
}

}  // namespace fencepost::lane
