#include "lane/chain_watch.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::lane {

ChainWatch::ChainWatch(Chain& chain, Headers& headers, Log& log, std::uint64_t keep)
    : chain_(chain),
      headers_(headers),
      log_(log),
      keep_(keep) {}

void ChainWatch::ignore(ChainListener& listener) {
    std::erase(listeners_, &listener);
    std::erase_if(expected_, [&](const auto& entry) { return entry.second == &listener; });
}

Task<void> ChainWatch::run() {
    auto stream = chain_.heads();
    while (true) {
        const auto event = co_await stream->next();
        if (!adopt(event)) {
            log_.write(Severity::warning, "The chain's heads did not link to what was known; reading them anew",
                       {{"chain", chain_.ref().to_string()}});
            view_ = {};
            stream = chain_.heads();
            continue;
        }
        for (auto* listener : listeners_)
            listener->on_head();
        co_await fetch_receipts(event.blocks);
        // A header that could not be recorded is missed by nobody: settled transactions keep their own list.
        if (!event.change.added.empty() && !co_await headers_.record(chain_.ref(), event.change.added)) {
            log_.write(Severity::warning, "New headers could not be recorded", {{"chain", chain_.ref().to_string()}});
        }
    }
}

bool ChainWatch::adopt(const HeadEvent& event) {
    if (!event.change.common_ancestor) {  // everything that was known is replaced, also what was final
        view_ = {};
        safe_.reset();
        finalized_.reset();
    }
    if (!event.change.added.empty() && !view_.adopt(event.change.added)) return false;
    if (!event.blocks.empty()) head_time_ = event.blocks.back()->time;
    // What has just become final stays for one more event, so that the lanes can see that it is there.
    if (finalized_ && !view_.empty()) {
        const auto head = view_.head()->number.value();
        view_.prune_below(std::min(*finalized_, BlockNumber(head > keep_ ? head - keep_ : 0)));
    }
    safe_ = std::max(safe_, event.safe);
    finalized_ = std::max(finalized_, event.finalized);
    return true;
}

Task<void> ChainWatch::fetch_receipts(std::vector<std::shared_ptr<const Block>> blocks) {
    for (const auto& block : blocks) {
        std::vector<TxHash> ours;
        std::ranges::copy_if(block->transactions, std::back_inserter(ours),
                             [&](const TxHash& hash) { return expected_.contains(hash); });
        if (ours.empty()) continue;
        const auto answers = co_await chain_.receipts_in(block->ref, ours);
        tell_receipts(ours, answers);
    }
}

void ChainWatch::tell_receipts(const std::vector<TxHash>& hashes,
                               const std::vector<RpcResult<std::optional<Receipt>>>& answers) {
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        // While we asked, its lane may have gone.
        const auto waiting = expected_.find(hashes[i]);
        if (waiting == expected_.end()) continue;
        if (answers[i] && *answers[i]) {
            waiting->second->on_receipt(**answers[i]);
        } else {
            waiting->second->on_receipt_missed(hashes[i]);
        }
    }
}

}  // namespace fencepost::lane
