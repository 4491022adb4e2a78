// Follows the head of one chain, for all lanes of a node. It believes hashes, not order of arrival, and takes nothing
// away without positive evidence (law 5):
// - a head that we know already changes nothing: its endpoint lags;
// - a head that is higher than ours, or as high with another hash, is adopted once its ancestors link to our window;
// what
//   it replaces is told as removed;
// - a head that is lower and unknown is not adopted, however often it is told, until its branch is as high as ours. To
//   an observer a chain that was cut back and an endpoint that is behind on a dead branch look the same, and waiting
//   harms nobody: depth is only ever counted too low. If it lasts, a person is told;
// - a branch that forks below our window (below what was final, mostly) is asked for again, of endpoints as high as
//   ours; if they agree, a person is told and the view is replaced: consumers get an event without a common ancestor,
//   and what is settled starts over on the new branch. The same event, without alarm, follows an outage longer than
//   the window.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/async/wakeup.hpp"
#include "evm/heads/ancestors.hpp"
#include "evm/heads/finality.hpp"
#include "evm/heads/head_streams.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"

namespace fencepost::evm {

struct FollowerOptions {
    /// How the chain is called in the log.
    std::string chain{};
    Duration poll_interval = std::chrono::seconds(1);
    /// After failures the interval doubles up to this: no longer, for the head is that old when a node comes back.
    Duration longest_pause = std::chrono::seconds(5);
    /// So long a lower head on another branch goes without a word.
    Duration patience_with_lower_head = std::chrono::seconds(30);
    /// The most blocks that are kept, the seeds' confirmations.blockQueueLength.
    std::size_t max_window = 1000;
    /// The most events that wait for a consumer, the seeds' confirmations.notificationQueueLength.
    std::size_t queue_length = 1000;
    /// For chains without the tags `finalized` and `safe`.
    std::uint64_t finality_depth = 64;
    std::size_t fetch_batch = 64;
    /// So many endpoints must agree that the chain forked below our window.
    std::size_t agreeing = 1;
};

/// On one executor, with its streams.
class BlockFollower {
public:
    BlockFollower(Rpc& rpc, Clock& clock, Log& log, FollowerOptions options);

    /// Looks at the chain again and again, until it is cancelled.
    [[nodiscard]] Task<void> run();
    /// A hint that there is a new head: looks now. Any number of hints during a look are one more look.
    void nudge();
    /// A consumer's own stream; its first event holds the whole window.
    [[nodiscard]] std::unique_ptr<HeadStream> subscribe() { return streams_.subscribe(); }

    /// The view as it is now.
    [[nodiscard]] const CanonicalChain& chain() const { return streams_.window().chain(); }

private:
    struct View {
        BlockPtr head;
        ToldTag safe;
        ToldTag finalized;
    };
    [[nodiscard]] Task<Status<RpcError>> look();
    [[nodiscard]] Task<RpcResult<View>> ask();
    [[nodiscard]] Task<Status<RpcError>> begin(View view);
    [[nodiscard]] Task<Status<RpcError>> join(View view);
    [[nodiscard]] Task<RpcResult<Blocks>> branch_to(BlockPtr head);
    [[nodiscard]] Task<Status<RpcError>> leave_window(View view, bool may_be_the_same);
    [[nodiscard]] Task<RpcResult<Blocks>> whole_window(View view);
    void start_over(const Blocks& blocks, const View& view);
    void settle(const View& view);
    [[nodiscard]] bool is_lower_than_ours(const BlockRef& head) const;
    [[nodiscard]] BlockNumber lowest_kept(const Settled& settled, BlockNumber head) const;

    void tell_of_lower_head(const BlockRef& head);
    void tell_of_absent_tags();
    void tell_of_state(const Status<RpcError>& outcome);

    Rpc& rpc_;
    Clock& clock_;
    Log& log_;
    FollowerOptions options_;
    Ancestors ancestors_;
    Finality finality_;
    HeadStreams streams_;
    std::optional<Wakeup> bell_;  // from run() on, which tells the executor
    bool failing_ = false;
    std::optional<Instant> lower_since_;
    bool told_of_lower_ = false;
};

}  // namespace fencepost::evm
