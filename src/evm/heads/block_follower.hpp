// Follows the head of one chain for all lanes of a node. It trusts hashes, not the order of arrival, and removes
// nothing without positive evidence (law 5):
// - a head that is already known changes nothing: its endpoint lags;
// - a head that is higher than ours, or equally high with another hash, is adopted once its ancestors link to our
// window; the blocks that it replaces are reported as removed;
// - a lower, unknown head is not adopted, however often it is reported, until its branch is as high as ours. An
// observer cannot distinguish a chain that was rolled back from a lagging endpoint on a dead branch, and waiting is
// safe: it only underestimates depth. If it lasts, a warning is logged;
// - a branch that forks below our window (usually below the finalized block) is requested again, from endpoints as high
// as ours. If they agree, an alert is raised and the view is replaced: consumers get an event without a common
// ancestor, and finality restarts on the new branch. The same event, without an alert, follows an outage longer than
// the window.
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
    /// Name of the chain in the log.
    std::string chain{};
    Duration poll_interval = std::chrono::seconds(1);
    /// Retry interval after failures doubles up to this; short, because it is how old the head may be when a node comes
    /// back.
    Duration max_pause = std::chrono::seconds(5);
    /// How long a lower head on another branch is tolerated before a warning.
    Duration lower_head_warning_after = std::chrono::seconds(30);
    /// Maximum number of blocks kept (confirmations.blockQueueLength in the requirements).
    std::size_t max_window = 1000;
    /// Maximum number of events queued per consumer (confirmations.notificationQueueLength in the requirements).
    std::size_t queue_length = 1000;
    /// For chains without the tags `finalized` and `safe`.
    std::uint64_t finality_depth = 64;
    std::size_t fetch_batch = 64;
    /// Number of endpoints that must agree on a fork below the window.
    std::size_t agreeing = 1;
};

/// Runs on one executor, with its streams.
class BlockFollower {
public:
    BlockFollower(Rpc& rpc, Clock& clock, Log& log, FollowerOptions options);

    /// Polls the chain until cancelled.
    [[nodiscard]] Task<void> run();
    /// Signals a possible new head: polls now. Several signals during one poll cause one more.
    void poll_now();
    /// A new stream for one consumer; its first event holds the whole window.
    [[nodiscard]] std::unique_ptr<HeadStream> subscribe() { return streams_.subscribe(); }

    /// The current view.
    [[nodiscard]] const CanonicalChain& chain() const { return streams_.window().chain(); }

private:
    struct View {
        BlockPtr head;
        ReportedTag safe;
        ReportedTag finalized;
    };
    [[nodiscard]] Task<Status<RpcError>> poll();
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

    void warn_of_lower_head(const BlockRef& head);
    void log_unsupported_tags();
    void log_state_change(const Status<RpcError>& outcome);

    Rpc& rpc_;
    Clock& clock_;
    Log& log_;
    FollowerOptions options_;
    Ancestors ancestors_;
    Finality finality_;
    HeadStreams streams_;
    std::optional<Wakeup> wakeup_;  // created in run(), which knows the executor
    bool failing_ = false;
    std::optional<Instant> lower_since_;
    bool warned_of_lower_ = false;
};

}  // namespace fencepost::evm
