// Delivers head events to the follower's consumers, each with its own bounded queue (BufferChannel in the
// requirements). A slow consumer delays no other: when its queue is full, the queue is dropped, and its next event is
// built from the window when it is fetched, from the last block it received to the head. So one event always closes the
// gap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "evm/heads/block_window.hpp"

namespace fencepost::evm {

/// How far the chain reports itself settled.
struct Settled {
    std::optional<BlockNumber> safe{};
    std::optional<BlockNumber> finalized{};

    friend bool operator==(const Settled&, const Settled&) = default;
};

/// Runs on one executor. Streams and this object may be destroyed in any order; a stream that outlives it waits
/// forever.
///
/// An event without a common ancestor replaces the consumer's view. An event that only reports more blocks as settled
/// has the head as common ancestor and adds no blocks.
class HeadStreams {
public:
    explicit HeadStreams(std::size_t queue_length);
    ~HeadStreams();
    HeadStreams(const HeadStreams&) = delete;
    HeadStreams& operator=(const HeadStreams&) = delete;

    /// next() loses nothing when cancelled while it waits. An event is lost when a completed next() loses a race and
    /// its result is dropped: wait for a stream in a task of its own.
    [[nodiscard]] std::unique_ptr<HeadStream> subscribe();

    /// Adds a branch to the window, as CanonicalChain::adopt(). The caller must call publish() before anything else.
    [[nodiscard]] Result<HeadChange, AdoptError> adopt(const Blocks& branch);
    /// Reports the change to every consumer (without a change, only if more blocks are settled) and drops the blocks
    /// below `oldest`.
    void publish(HeadChange change, const Settled& settled, BlockNumber oldest);
    /// Discards the known chain: every consumer starts over from these blocks.
    void replace(const Blocks& blocks, const Settled& settled);

    [[nodiscard]] const BlockWindow& window() const;

private:
    struct State;
    struct Consumer;
    class Stream;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::evm
