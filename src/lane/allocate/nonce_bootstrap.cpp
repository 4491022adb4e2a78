#include "lane/allocate/nonce_bootstrap.hpp"

#include <fmt/format.h>

#include "lane/track/external_use.hpp"

namespace fencepost::lane {
namespace {

bool may_still_retry(const LaneContext& lane, RetryDeadline& patience) {
    if (!patience.until) patience.until = lane.now() + lane.options.bootstrap_timeout;
    return lane.now() < *patience.until;
}

RpcError not_yet(std::string why) { return {RpcError::Kind::no_evidence, std::move(why)}; }

LaneWrite protect(LaneContext& lane, std::string reason) {
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .status = StatusChange{SubmitterStatus::protect, std::move(reason)}};
}

// Transactions of other systems may disappear again, so the cursor is set above our own nonces only, and each nonce is
// queried when it is needed.
LaneWrite bootstrap_shared_key(LaneContext& lane) {
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .cursor = CursorMove{.expected = std::nullopt, .next = Nonce{}}};
}

LaneWrite bootstrap_cursor(LaneContext& lane, const AccountCounts& counts) {
    if (lane.nonces.is_shared()) return bootstrap_shared_key(lane);
    const auto& options = lane.options;
    if (options.start_from && *options.start_from != counts.latest) {
        return protect(lane, fmt::format("startFrom is {}, but the account has sent {} transactions; remove startFrom, "
                                         "or use an address without a history",
                                         *options.start_from, counts.latest));
    }
    if (counts.pending > counts.latest && !options.adopt_pending) {
        return protect(lane,
                       fmt::format("{} external transactions of this new submitter are in flight (nonces {} to "
                                   "{}); wait until they are mined, or set adopt",
                                   counts.pending.above(counts.latest), counts.latest, counts.pending.value() - 1));
    }
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .cursor = CursorMove{.expected = std::nullopt, .next = counts.pending}};
}

}  // namespace

void alert_if_stopped(const LaneContext& lane, const LaneWrite& written) {
    if (!written.status || written.status->status != SubmitterStatus::protect) return;
    lane.world.alerts.raise(
        alert_of(AlertKind::protect, lane.submitter, fmt::format("Submitter stopped: {}", written.status->reason)));
}

Task<RpcResult<std::optional<LaneWrite>>> compare_with_chain(LaneContext* context, LaneState state,
                                                             RetryDeadline* patience) {
    auto& lane = *context;
    if (state.status.status == SubmitterStatus::protect) co_return std::nullopt;  // a person has not decided yet
    const auto counts = co_await lane.chain().counts(lane.submitter);
    if (!counts) {
        patience->until.reset();
        co_return err(counts.error());
    }
    if (!state.next_nonce) {
        // An endpoint that does not answer may know transactions that the others have not seen.
        if (counts->answered < counts->endpoints && may_still_retry(lane, *patience)) {
            co_return err(
                not_yet(fmt::format("a new submitter needs the answer of every endpoint, and {} of {} answered",
                                    counts->answered, counts->endpoints)));
        }
        co_return bootstrap_cursor(lane, *counts);
    }
    if (is_wrong_chain(*counts, state.watch_from)) {
        const auto why = describe_wrong_chain(*counts, state.watch_from);
        if (may_still_retry(lane, *patience)) co_return err(not_yet(why));
        co_return protect(lane, why);
    }
    if (counts->pending <= *state.next_nonce || lane.nonces.is_shared()) co_return std::nullopt;
    const auto use = co_await describe_external_use(&lane, *state.next_nonce, *counts);
    co_return protect(lane, use.reason);
}

}  // namespace fencepost::lane
