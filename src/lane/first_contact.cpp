#include "lane/first_contact.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace fencepost::lane {
namespace {

struct Counts {
    Nonce latest;
    Nonce pending;
};

Task<RpcResult<Counts>> read_counts(LaneContext* context) {
    auto& lane = *context;
    const auto latest = co_await lane.chain().transaction_count(lane.submitter, At::latest);
    if (!latest) co_return err(latest.error());
    const auto pending = co_await lane.chain().transaction_count(lane.submitter, At::pending);
    if (!pending) co_return err(pending.error());
    // Asked one after the other: a block may have come between.
    co_return Counts{*latest, std::max(*latest, *pending)};
}

LaneWrite protect(LaneContext& lane, std::string reason) {
    lane.world.log.write(Severity::alert, "The submitter is stopped",
                         {{"submitter", lane.submitter.to_string()}, {"why", reason}});
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .status = StatusChange{SubmitterStatus::protect, std::move(reason)}};
}

LaneWrite first_contact(LaneContext& lane, const Counts& counts) {
    const auto& options = lane.options;
    if (options.start_from && *options.start_from != counts.latest) {
        return protect(lane, fmt::format("startFrom is {}, but the account has sent {} transactions; remove startFrom, "
                                         "or use an address without a history",
                                         *options.start_from, counts.latest));
    }
    if (counts.pending > counts.latest && !options.adopt_pending) {
        return protect(lane,
                       fmt::format("at first contact {} transactions of somebody else are in flight (nonces {} to "
                                   "{}); wait until they are mined, or say adopt",
                                   counts.pending.above(counts.latest), counts.latest, counts.pending.value() - 1));
    }
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .cursor = CursorMove{.expected = std::nullopt, .next = std::max(counts.latest, counts.pending)}};
}

Task<std::string> name_the_foreigner(LaneContext* context, Nonce nonce) {
    auto& lane = *context;
    const auto use = co_await lane.chain().use_of(lane.submitter, nonce);
    if (!use || !use->by) co_return "a transaction that no endpoint can name any more";
    co_return fmt::format("transaction {}", to_hex_prefixed(use->by->view()));
}

}  // namespace

Task<RpcResult<std::optional<LaneWrite>>> compare_with_chain(LaneContext* context, LaneState state) {
    auto& lane = *context;
    const auto counts = co_await read_counts(&lane);
    if (!counts) co_return err(counts.error());
    if (!state.next_nonce) {
        if (state.status.status == SubmitterStatus::protect) co_return std::nullopt;  // a person has not decided yet
        co_return first_contact(lane, *counts);
    }
    const auto next = *state.next_nonce;
    if (counts->pending <= next || state.status.status == SubmitterStatus::protect) co_return std::nullopt;
    if (counts->latest > next) {
        const auto who = co_await name_the_foreigner(&lane, next);
        co_return protect(lane, fmt::format("nonce {} was never given by us, but {} has used it", next, who));
    }
    co_return protect(lane, fmt::format("nonces {} to {} were never given by us, but are in flight", next,
                                        counts->pending.value() - 1));
}

}  // namespace fencepost::lane
