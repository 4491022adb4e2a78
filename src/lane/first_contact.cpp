#include "lane/first_contact.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace fencepost::lane {
namespace {

bool is_patient(const LaneContext& lane, Patience& patience) {
    if (!patience.until) patience.until = lane.now() + lane.options.first_contact_patience;
    return lane.now() < *patience.until;
}

RpcError not_yet(std::string why) { return {RpcError::Kind::no_evidence, std::move(why)}; }

LaneWrite protect(LaneContext& lane, std::string reason) {
    return {.submitter = lane.submitter,
            .fence = lane.lease.fence,
            .status = StatusChange{SubmitterStatus::protect, std::move(reason)}};
}

LaneWrite first_contact(LaneContext& lane, const AccountCounts& counts) {
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
            .cursor = CursorMove{.expected = std::nullopt, .next = counts.pending}};
}

Task<std::string> name_the_foreigner(LaneContext* context, Nonce nonce) {
    auto& lane = *context;
    const auto use = co_await lane.chain().use_of(lane.submitter, nonce);
    if (!use || !use->by) co_return "a transaction that no endpoint can name any more";
    co_return fmt::format("transaction {}", to_hex_prefixed(use->by->view()));
}

// Pending, because what was adopted at first contact need not be mined yet. A chain that has fewer than were final is
// not the one we know.
std::string wrong_world(const AccountCounts& counts, Nonce final_below) {
    return fmt::format(
        "the chain has {} transactions of this account, fewer than the {} that were final: another "
        "chain, or an endpoint that lost its data",
        counts.pending, final_below);
}

Task<LaneWrite> used_by_others(LaneContext* context, Nonce next, AccountCounts counts) {
    auto& lane = *context;
    if (counts.latest > next) {
        const auto who = co_await name_the_foreigner(&lane, next);
        co_return protect(lane, fmt::format("nonce {} was never given by us, but {} has used it", next, who));
    }
    co_return protect(lane, fmt::format("nonces {} to {} were never given by us, but are in flight", next,
                                        counts.pending.value() - 1));
}

}  // namespace

void tell_of_stop(const LaneContext& lane, const LaneWrite& written) {
    if (!written.status || written.status->status != SubmitterStatus::protect) return;
    lane.world.log.write(Severity::alert, "The submitter is stopped",
                         {{"submitter", lane.submitter.to_string()}, {"why", written.status->reason}});
}

Task<RpcResult<std::optional<LaneWrite>>> compare_with_chain(LaneContext* context, LaneState state,
                                                             Patience* patience) {
    auto& lane = *context;
    if (state.status.status == SubmitterStatus::protect) co_return std::nullopt;  // a person has not decided yet
    const auto counts = co_await lane.chain().counts(lane.submitter);
    if (!counts) {
        patience->until.reset();
        co_return err(counts.error());
    }
    if (!state.next_nonce) {
        // One that is not heard may know of transactions that the others have not seen.
        if (counts->answered < counts->endpoints && is_patient(lane, *patience)) {
            co_return err(not_yet(fmt::format("at first contact all endpoints are to be heard, and {} of {} answered",
                                              counts->answered, counts->endpoints)));
        }
        co_return first_contact(lane, *counts);
    }
    if (counts->pending < state.watch_from) {
        const auto why = wrong_world(*counts, state.watch_from);
        if (is_patient(lane, *patience)) co_return err(not_yet(why));
        co_return protect(lane, why);
    }
    if (counts->pending > *state.next_nonce) co_return co_await used_by_others(&lane, *state.next_nonce, *counts);
    co_return std::nullopt;
}

}  // namespace fencepost::lane
