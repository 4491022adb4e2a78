#include "lane/track/chain_watch.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::lane {

namespace {

// So many blocks may be looked into at once; then the heads wait.
constexpr std::size_t blocks_at_once = 8;
constexpr Duration pause_after_mistake = std::chrono::seconds(1);

}  // namespace

ChainWatch::ChainWatch(const Executor& executor, Chain& chain, Headers& headers, Clock& clock, Telemetry& telemetry,
                       Log& log, std::uint64_t keep)
    : chain_(chain),
      headers_(headers),
      clock_(clock),
      telemetry_(telemetry),
      log_(log),
      keep_(keep),
      turns_(executor, blocks_at_once),
      errands_(executor) {}

void ChainWatch::ignore(ChainListener& listener) {
    std::erase(listeners_, &listener);
    std::erase_if(expected_, [&](const auto& entry) { return entry.second == &listener; });
}

Task<void> ChainWatch::run() {
    std::exception_ptr error;
    try {
        co_await follow();
    } catch (...) {
        error = std::current_exception();
    }
    // Also when it is cancelled it waits for its errands: they use what it owns.
    errands_.cancel();
    co_await asio::this_coro::reset_cancellation_state();
    co_await errands_.join();
    std::rethrow_exception(error);
}

Task<void> ChainWatch::follow() {
    while (true) {
        std::ignore = co_await ends_well(&log_, "Following a chain failed; its heads are read anew",
                                         chain_.ref().to_string(), follow_stream());
        // What came before the mistake may be known by halves.
        view_ = {};
        co_await clock_.sleep_for(pause_after_mistake);
    }
}

Task<void> ChainWatch::follow_stream() {
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
            listener->on_head(event.change);
        co_await look_into(event);
    }
}

bool ChainWatch::adopt(const HeadEvent& event) {
    if (!event.change.common_ancestor) {  // everything that was known is replaced, also what was final
        view_ = {};
        safe_.reset();
        finalized_.reset();
    }
    if (!event.change.added.empty() && !view_.adopt(event.change.added)) return false;
    if (!event.blocks.empty()) {
        note_interval(event);
        head_time_ = event.blocks.back()->time;
        head_base_fee_ = event.blocks.back()->base_fee;
    }
    // What has just become final stays for one more event, so that the lanes can see that it is there.
    if (finalized_ && !view_.empty()) {
        const auto head = view_.head()->number.value();
        view_.prune_below(std::min(*finalized_, BlockNumber(head > keep_ ? head - keep_ : 0)));
    }
    // A reorg may go deeper than `safe`: of the blocks that came instead nobody has said so yet.
    const auto& ancestor = event.change.common_ancestor;
    if (safe_ && ancestor) safe_ = std::min(*safe_, ancestor->number);
    safe_ = std::max(safe_, event.safe);
    finalized_ = std::max(finalized_, event.finalized);
    return true;
}

// The mean over what one event tells of: a chain's clock has seconds only.
void ChainWatch::note_interval(const HeadEvent& event) {
    const auto blocks = static_cast<Duration::rep>(event.blocks.size());
    const bool follows = head_time_ && !event.gap_potential && !event.change.is_reorg();
    if (follows && event.blocks.back()->time > *head_time_)
        block_interval_ = Duration(event.blocks.back()->time - *head_time_) / blocks;
}

bool ChainWatch::is_final_below_view(BlockNumber number) const {
    return finalized_ && number <= *finalized_ && !view_.empty() && number < view_.oldest()->number;
}

Task<void> ChainWatch::look_into(HeadEvent event) {
    for (const auto& block : event.blocks) {
        std::vector<TxHash> ours;
        std::ranges::copy_if(block->transactions, std::back_inserter(ours),
                             [&](const TxHash& hash) { return expected_.contains(hash); });
        if (ours.empty()) continue;
        auto turn = co_await turns_.take();
        errands_.spawn(fetch_receipts(std::move(turn), block->ref, std::move(ours)));
    }
    if (event.change.added.empty()) co_return;
    auto turn = co_await turns_.take();
    errands_.spawn(guarded(record_headers(std::move(turn), std::move(event.change.added))));
}

Task<void> ChainWatch::fetch_receipts(Turns::Turn /*turn*/, BlockRef block, std::vector<TxHash> hashes) {
    Receipts answers(hashes.size(), err(RpcError{RpcError::Kind::malformed, "no answer"}));
    co_await guarded(read_receipts(block, hashes, &answers));
    // Its transactions wait again, or are in another block, whose receipts are told as well, maybe before these.
    if (was_removed(block)) co_return;
    tell_receipts(hashes, answers);
}

Task<void> ChainWatch::read_receipts(BlockRef block, std::vector<TxHash> hashes, Receipts* answers) {
    const auto begun = clock_.monotonic();
    *answers = co_await chain_.receipts_in(block, std::move(hashes));
    telemetry_.observe(Latency::receipt_query, clock_.monotonic() - begun);
}

// No port throws: one that does is an alert, and the watch goes on.
Task<void> ChainWatch::guarded(Task<void> errand) {
    std::ignore =
        co_await ends_well(&log_, "What a new block brought to do failed", chain_.ref().to_string(), std::move(errand));
}

Task<void> ChainWatch::record_headers(Turns::Turn /*turn*/, std::vector<BlockRef> headers) {
    // A header that could not be recorded is missed by nobody: settled transactions keep their own list.
    if (co_await headers_.record(chain_.ref(), std::move(headers))) co_return;
    log_.write(Severity::warning, "New headers could not be recorded", {{"chain", chain_.ref().to_string()}});
}

bool ChainWatch::was_removed(const BlockRef& block) const {
    const auto* now = view_.at(block.number);
    return now != nullptr ? now->hash != block.hash : !view_.empty() && view_.head()->number < block.number;
}

void ChainWatch::tell_receipts(const std::vector<TxHash>& hashes, const Receipts& answers) {
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
