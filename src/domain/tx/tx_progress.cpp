#include "domain/tx/tx_progress.hpp"

#include <algorithm>

namespace fencepost {

TxProgress progress_of(const TxFacts& facts, Instant now, UnixTime node_time) {
    TxProgress progress{.written_at = node_time,
                        .resend_in = facts.resend_due - now,
                        .bump_in = facts.bump_due - now,
                        .stuck_in = facts.stuck_due - now,
                        .facts = facts};
    if (facts.first_sent) progress.sent_for = now - *facts.first_sent;
    if (facts.lookup_deadline) progress.lookup_for = *facts.lookup_deadline - now;
    auto& rest = progress.facts;
    rest.first_sent.reset();
    rest.lookup_deadline.reset();
    rest.resend_due = rest.bump_due = rest.stuck_due = {};
    rest.may_be_held = true;
    return progress;
}

TxFacts facts_of(const TxProgress& progress, Duration passed, Instant now, UnixTime node_time) {
    const auto written = now - certain_elapsed(passed, node_time - progress.written_at);
    auto facts = progress.facts;
    if (progress.sent_for) facts.first_sent = written - *progress.sent_for;
    facts.resend_due = written + progress.resend_in;
    facts.bump_due = written + progress.bump_in;
    facts.stuck_due = written + progress.stuck_in;
    if (progress.lookup_for) facts.lookup_deadline = written + *progress.lookup_for;
    return facts;
}

Duration certain_elapsed(Duration by_database, Duration by_nodes) {
    return std::max(Duration{}, std::min(by_database, by_nodes));
}

}  // namespace fencepost
