// The follower's consumers, each with a bounded queue of its own (the seeds' BufferChannel). Nobody waits for a slow
// one: when its queue is full it is dropped, and the consumer's next event is made from the window when it comes to
// fetch it, from the last block it was given to the head. So a gap is always closed by the event that tells of it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "evm/heads/block_window.hpp"

namespace fencepost::evm {

/// How far the chain says it is settled.
struct Settled {
    std::optional<BlockNumber> safe{};
    std::optional<BlockNumber> finalized{};

    friend bool operator==(const Settled&, const Settled&) = default;
};

/// All on one executor. Streams and this object may go in any order; a stream that is left alone waits for ever.
///
/// An event without a common ancestor replaces what its consumer knew; one that only tells that more is settled has the
/// head for a common ancestor, and adds nothing.
class HeadStreams {
public:
    explicit HeadStreams(std::size_t queue_length);
    ~HeadStreams();
    HeadStreams(const HeadStreams&) = delete;
    HeadStreams& operator=(const HeadStreams&) = delete;

    /// next() loses nothing when it is cancelled while it waits. (An event that a finished next() of a race handed to
    /// nobody is gone: wait for a stream in a task of its own.)
    [[nodiscard]] std::unique_ptr<HeadStream> subscribe();

    /// Takes a branch into the window, as CanonicalChain::adopt(). Whoever does this tells of it before anything else.
    [[nodiscard]] Result<HeadChange, AdoptError> adopt(const Blocks& branch);
    /// Tells every consumer of the change (if there is none, only if more is settled than was), and forgets what lies
    /// below `oldest`.
    void tell(HeadChange change, const Settled& settled, BlockNumber oldest);
    /// What was known is void: every consumer starts over from these blocks.
    void replace(const Blocks& blocks, const Settled& settled);

    [[nodiscard]] const BlockWindow& window() const;

private:
    struct State;
    struct Consumer;
    class Stream;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::evm
