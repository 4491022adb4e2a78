#include "lane/track/external_use.hpp"

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::lane {
namespace {

Task<ExternalUse> describe_mined(LaneContext* context, Nonce nonce) {
    auto& lane = *context;
    const auto use = co_await lane.chain().find_nonce_use(lane.submitter, nonce);
    const auto who = use && use->by ? fmt::format("transaction {}", to_hex_prefixed(use->by->view()))
                                    : "a transaction that no endpoint can identify";
    co_return ExternalUse{fmt::format("nonce {} was used by {}, and Fencepost never allocated it", nonce, who),
                          use && use->consumed};
}

// Not every endpoint exposes its pool; the count alone is sufficient.
Task<ExternalUse> describe_waiting(LaneContext* context, Nonce first, Nonce end) {
    auto& lane = *context;
    const auto waiting = co_await lane.chain().pending_at(lane.submitter, first);
    const auto who =
        waiting && *waiting ? fmt::format(", first transaction {}", to_hex_prefixed((*waiting)->view())) : "";
    co_return ExternalUse{
        fmt::format("nonces {} to {} are in flight, and Fencepost never allocated them{}", first, end.value() - 1, who),
        true};
}

}  // namespace

Task<ExternalUse> describe_external_use(LaneContext* context, Nonce next, AccountCounts counts) {
    if (counts.latest > next) co_return co_await describe_mined(context, next);
    co_return co_await describe_waiting(context, next, counts.pending);
}

bool is_wrong_chain(const AccountCounts& counts, Nonce final_below) { return counts.pending < final_below; }

std::string describe_wrong_chain(const AccountCounts& counts, Nonce final_below) {
    return fmt::format(
        "the chain has {} transactions of this account, fewer than the {} that were final: a different "
        "chain, or an endpoint that lost its data",
        counts.pending, final_below);
}

}  // namespace fencepost::lane
