#include "lane/track/chain_watch.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::lane {

namespace {

// Maximum number of blocks processed concurrently; further heads wait.
constexpr std::size_t max_concurrent_blocks = 8;
constexpr Duration pause_after_error = std::chrono::seconds(1);

}  // namespace

ChainWatch::ChainWatch(const Executor& executor, Chain& chain, Headers& headers, Clock& clock, Telemetry& telemetry,
                       Log& log, std::uint64_t keep)
    : chain_(chain),
      headers_(headers),
      clock_(clock),
      telemetry_(telemetry),
      log_(log),
      keep_(keep),
      semaphore_(executor, max_concurrent_blocks),
      tasks_(executor) {}

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
    // Waits for its background tasks even when cancelled: they use what it owns.
    tasks_.cancel();
    co_await asio::this_coro::reset_cancellation_state();
    co_await tasks_.join();
    std::rethrow_exception(error);
}

Task<void> ChainWatch::follow() {
    while (true) {
        std::ignore =
            co_await run_guarded(&log_, "Head stream failed; restarting it", chain_.ref().to_string(), follow_stream());
        // State from before the error may be incomplete.
        view_ = {};
        co_await clock_.sleep_for(pause_after_error);
    }
}

Task<void> ChainWatch::follow_stream() {
    auto stream = chain_.heads();
    while (true) {
        const auto event = co_await stream->next();
        if (!adopt(event)) {
            log_.write(Severity::warning, "Head does not link to known blocks; restarting the head stream",
                       {{"chain", chain_.ref().to_string()}});
            view_ = {};
            stream = chain_.heads();
            continue;
        }
        for (auto* listener : listeners_)
            listener->on_head(event.change);
        co_await process_blocks(event);
    }
}

bool ChainWatch::adopt(const HeadEvent& event) {
    if (!event.change.common_ancestor) {  // replaces everything, including finalized blocks
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
    // Newly finalized blocks stay for one more event, so that the lanes can see them.
    if (finalized_ && !view_.empty()) {
        const auto head = view_.head()->number.value();
        view_.prune_below(std::min(*finalized_, BlockNumber(head > keep_ ? head - keep_ : 0)));
    }
    // A reorg may be deeper than `safe`: the new blocks have not been reported as safe yet.
    const auto& ancestor = event.change.common_ancestor;
    if (safe_ && ancestor) safe_ = std::min(*safe_, ancestor->number);
    safe_ = std::max(safe_, event.safe);
    finalized_ = std::max(finalized_, event.finalized);
    return true;
}

// The mean over one event, because block timestamps have a resolution of seconds.
void ChainWatch::note_interval(const HeadEvent& event) {
    const auto blocks = static_cast<Duration::rep>(event.blocks.size());
    const bool follows = head_time_ && !event.gap_potential && !event.change.is_reorg();
    if (follows && event.blocks.back()->time > *head_time_)
        block_interval_ = Duration(event.blocks.back()->time - *head_time_) / blocks;
}

bool ChainWatch::is_final_below_view(BlockNumber number) const {
    return finalized_ && number <= *finalized_ && !view_.empty() && number < view_.oldest()->number;
}

Task<void> ChainWatch::process_blocks(HeadEvent event) {
    for (const auto& block : event.blocks) {
        std::vector<TxHash> ours;
        std::ranges::copy_if(block->transactions, std::back_inserter(ours),
                             [&](const TxHash& hash) { return expected_.contains(hash); });
        if (ours.empty()) continue;
        auto turn = co_await semaphore_.take();
        tasks_.spawn(fetch_receipts(std::move(turn), block->ref, std::move(ours)));
    }
    if (event.change.added.empty()) co_return;
    auto turn = co_await semaphore_.take();
    tasks_.spawn(guarded(record_headers(std::move(turn), std::move(event.change.added))));
}

Task<void> ChainWatch::fetch_receipts(AsyncSemaphore::Permit /*turn*/, BlockRef block, std::vector<TxHash> hashes) {
    Receipts answers(hashes.size(), err(RpcError{RpcError::Kind::malformed, "no answer"}));
    co_await guarded(read_receipts(block, hashes, &answers));
    // Its transactions are pending again, or in another block, whose receipts are reported as well, possibly before
    // these.
    if (was_removed(block)) co_return;
    report_receipts(hashes, answers);
}

Task<void> ChainWatch::read_receipts(BlockRef block, std::vector<TxHash> hashes, Receipts* answers) {
    const auto begun = clock_.monotonic();
    *answers = co_await chain_.receipts_in(block, std::move(hashes));
    telemetry_.observe(Latency::receipt_query, clock_.monotonic() - begun);
}

// Ports do not throw: an exception is logged as an alert, and the watch continues.
Task<void> ChainWatch::guarded(Task<void> task) {
    std::ignore = co_await run_guarded(&log_, "Block handler failed", chain_.ref().to_string(), std::move(task));
}

Task<void> ChainWatch::record_headers(AsyncSemaphore::Permit /*turn*/, std::vector<BlockRef> headers) {
    // A missing header has no consequence: settled transactions keep their own list.
    if (co_await headers_.record(chain_.ref(), std::move(headers))) co_return;
    log_.write(Severity::warning, "Headers not recorded", {{"chain", chain_.ref().to_string()}});
}

bool ChainWatch::was_removed(const BlockRef& block) const {
    const auto* now = view_.at(block.number);
    return now != nullptr ? now->hash != block.hash : !view_.empty() && view_.head()->number < block.number;
}

void ChainWatch::report_receipts(const std::vector<TxHash>& hashes, const Receipts& answers) {
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        // Meanwhile its lane may have closed.
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
