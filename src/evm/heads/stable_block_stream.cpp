// Applies head events and returns blocks that are deep enough.
#include "evm/heads/stable_block_stream.hpp"

#include <utility>

namespace fencepost::evm {

StableBlockStream::StableBlockStream(std::unique_ptr<HeadStream> heads, std::uint64_t depth)
    : heads_(std::move(heads)),
      blocks_(depth) {}

Task<Result<BlockRef, StableBlocksError>> StableBlockStream::next() {
    // An empty change has no effect, unless there was an error before.
    if (auto stopped = blocks_.apply({}); ready_.empty() && !stopped) co_return err(stopped.error());
    while (ready_.empty()) {
        const auto event = co_await heads_->next();
        auto stable = blocks_.apply(event.change);
        if (!stable) co_return err(stable.error());
        ready_.assign(stable->begin(), stable->end());
    }
    const auto block = ready_.front();
    ready_.pop_front();
    co_return block;
}

}  // namespace fencepost::evm
