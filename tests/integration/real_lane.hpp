// One key on a real node under adverse conditions: its lane, built from real components on PostgreSQL, and the actions
// of callers, operators, miners and external senders. No test sleeps: each waits for a condition up to a deadline, and
// a missed deadline ends the test with a sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lane/commands/unprotect_plan.hpp"
#include "real_world.hpp"

namespace fencepost::integration {

inline constexpr std::uint64_t gwei = 1'000'000'000;

/// Short intervals, so that a test takes seconds.
[[nodiscard]] lane::LaneOptions fast_options();
/// Nothing is resent automatically during a test, so the test controls the mempool.
[[nodiscard]] lane::LaneOptions without_resends();

/// A transfer of 1 wei.
[[nodiscard]] Intent transfer();
[[nodiscard]] Intent transfer_at(std::uint64_t max_fee_gwei);

class RealLane {
public:
    explicit RealLane(const lane::LaneOptions& options, test::DevNodeKind node = test::DevNodeKind::anvil);

    /// The lane is open from the start.
    void run(Task<void> body);
    /// Releases the lane, as on shutdown, until open().
    [[nodiscard]] Task<void> close();
    void open() { world_.host().open(alice(), options_); }

    // Callers and operators.

    [[nodiscard]] Task<AcceptAnswer> offer(Intent intent);
    [[nodiscard]] Task<TxId> accept(Intent intent);
    /// Accepts, and waits until the node has the bytes.
    [[nodiscard]] Task<TxId> send(Intent intent);
    [[nodiscard]] Task<void> cancel(TxId tx);
    /// Returns when the command is done or refused.
    [[nodiscard]] Task<void> unprotect();
    /// What an unprotect would do now.
    [[nodiscard]] Task<lane::UnprotectPlan> plan_unprotect();

    // The chain, and external actors.

    [[nodiscard]] Task<void> mine(std::size_t blocks = 1) { return world_.dev().mine(blocks); }
    /// From now on each sent transaction gets its own block at once; hardhat answers the sender only then.
    [[nodiscard]] Task<void> set_automine(bool on) { return world_.dev().set_automine(on); }
    /// Enough blocks to finalize everything mined before.
    [[nodiscard]] Task<void> mine_until_final();
    [[nodiscard]] Task<void> set_base_fee(std::uint64_t gwei_of_next_block);
    [[nodiscard]] Task<void> reorg(std::size_t depth) { return world_.dev().reorg(depth); }
    [[nodiscard]] Task<void> evict(TxHash hash);
    /// Another party submits the recorded bytes of an attempt to the node.
    [[nodiscard]] Task<void> submit_attempt(Attempt attempt);
    /// A miner who never saw `newer` mines `older`.
    [[nodiscard]] Task<void> mine_older_attempt(Attempt older, Attempt newer);
    /// An external sender uses the key with ethers.
    [[nodiscard]] Task<TxHash> send_externally(Nonce nonce, std::uint64_t tip_gwei);
    [[nodiscard]] Task<bool> is_mined(TxHash hash);
    [[nodiscard]] Task<bool> is_held(TxHash hash);

    // Results.

    [[nodiscard]] Task<TxView> view(TxId tx);
    [[nodiscard]] Task<std::vector<Attempt>> attempts(TxId tx);
    /// The transaction that the attempt belongs to, by our records.
    [[nodiscard]] Task<std::optional<TxId>> by_hash(TxHash hash);
    [[nodiscard]] Task<SubmitterView> submitter();
    using Condition = std::function<bool(const TxView&)>;
    [[nodiscard]] Task<TxView> until(TxId tx, std::string what, Condition holds);
    [[nodiscard]] Task<TxView> until_tracking(TxId tx);
    [[nodiscard]] Task<TxView> until_mined(TxId tx);
    [[nodiscard]] Task<std::vector<Attempt>> until_attempts(TxId tx, std::size_t count);
    /// Waits also until the node has the bytes of the last one.
    [[nodiscard]] Task<std::vector<Attempt>> until_replaced(TxId tx, std::size_t count);
    [[nodiscard]] Task<SubmitterView> until_protected();
    /// Mines until each of them is final.
    [[nodiscard]] Task<void> settle(std::vector<TxId> ids);

    [[nodiscard]] const SubmitterId& alice() const { return world_.submitters().front(); }

private:
    [[nodiscard]] Task<void> open_and(Task<void> body);
    [[nodiscard]] Task<void> post(CommandKind kind, std::optional<TxId> tx);
    [[nodiscard]] Task<bool> finds(std::string method, TxHash hash);
    /// For use in a loop; throws after the deadline.
    [[nodiscard]] Task<void> pause(Instant deadline, std::string what);
    [[nodiscard]] Instant deadline();

    RealWorld world_;
    lane::LaneOptions options_;
};

}  // namespace fencepost::integration
