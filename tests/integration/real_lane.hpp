// One key in trouble on a real node: its lane, kept by real parts on PostgreSQL, and what callers, operators, miners
// and strangers can do to it. Nothing sleeps in order to be in time: what is to come is waited for, up to a deadline,
// and what does not come ends the test with a sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lane/commands/unprotect_plan.hpp"
#include "real_world.hpp"

namespace fencepost::integration {

inline constexpr std::uint64_t gwei = 1'000'000'000;

/// Short intervals, so that a test takes seconds.
[[nodiscard]] lane::LaneOptions in_a_hurry();
/// What was sent is not sent again by itself within the time of a test, so that who is in a pool is the test's choice.
[[nodiscard]] lane::LaneOptions without_resends();

/// A transfer of 1 wei.
[[nodiscard]] Intent transfer();
[[nodiscard]] Intent transfer_at(std::uint64_t max_fee_gwei);

class RealLane {
public:
    explicit RealLane(const lane::LaneOptions& options, test::DevNodeKind node = test::DevNodeKind::anvil);

    /// The lane is open from the start.
    void run(Task<void> body);
    /// Gives the lane back, as a service that is shut down does, until open().
    [[nodiscard]] Task<void> close();
    void open() { world_.host().open(alice(), options_); }

    // Callers and operators.

    [[nodiscard]] Task<AcceptAnswer> offer(Intent intent);
    [[nodiscard]] Task<TxId> accept(Intent intent);
    /// And waits until the node has its bytes.
    [[nodiscard]] Task<TxId> send(Intent intent);
    [[nodiscard]] Task<void> cancel(TxId tx);
    /// Returns when the command is done, or refused.
    [[nodiscard]] Task<void> unprotect();
    /// What an unprotect would do now.
    [[nodiscard]] Task<lane::UnprotectPlan> plan_unprotect();

    // The chain, and those who have a hand in it.

    [[nodiscard]] Task<void> mine(std::size_t blocks = 1) { return world_.dev().mine(blocks); }
    /// What is sent from now on gets a block of its own at once; hardhat answers the sender only then.
    [[nodiscard]] Task<void> set_automine(bool on) { return world_.dev().set_automine(on); }
    /// So many blocks that what was mined before is finalized.
    [[nodiscard]] Task<void> mine_until_final();
    [[nodiscard]] Task<void> set_base_fee(std::uint64_t gwei_of_next_block);
    [[nodiscard]] Task<void> reorg(std::size_t depth) { return world_.dev().reorg(depth); }
    [[nodiscard]] Task<void> evict(TxHash hash);
    /// Somebody has the bytes of an attempt, and hands them to the node.
    [[nodiscard]] Task<void> hand_in(Attempt attempt);
    /// A miner who never heard of `newer` mines `older`.
    [[nodiscard]] Task<void> mine_older(Attempt older, Attempt newer);
    /// The key is used by somebody with ethers.
    [[nodiscard]] Task<TxHash> use_outside(Nonce nonce, std::uint64_t tip_gwei);
    [[nodiscard]] Task<bool> is_mined(TxHash hash);
    [[nodiscard]] Task<bool> is_held(TxHash hash);

    // What became of it.

    [[nodiscard]] Task<TxView> view(TxId tx);
    [[nodiscard]] Task<std::vector<Attempt>> attempts(TxId tx);
    /// Whose attempt it is, by our records.
    [[nodiscard]] Task<std::optional<TxId>> by_hash(TxHash hash);
    [[nodiscard]] Task<SubmitterView> submitter();
    using Condition = std::function<bool(const TxView&)>;
    [[nodiscard]] Task<TxView> until(TxId tx, std::string what, Condition holds);
    [[nodiscard]] Task<TxView> until_tracking(TxId tx);
    [[nodiscard]] Task<TxView> until_mined(TxId tx);
    [[nodiscard]] Task<std::vector<Attempt>> until_attempts(TxId tx, std::size_t count);
    /// And until the node has the bytes of the last of them.
    [[nodiscard]] Task<std::vector<Attempt>> until_replaced(TxId tx, std::size_t count);
    [[nodiscard]] Task<SubmitterView> until_protected();
    /// Mines until each of them is final.
    [[nodiscard]] Task<void> settle(std::vector<TxId> ids);

    [[nodiscard]] const SubmitterId& alice() const { return world_.submitters().front(); }

private:
    [[nodiscard]] Task<void> open_and(Task<void> body);
    [[nodiscard]] Task<void> post(CommandKind kind, std::optional<TxId> tx);
    [[nodiscard]] Task<bool> finds(std::string method, TxHash hash);
    /// To be called in a loop; throws once the time is up.
    [[nodiscard]] Task<void> pause(Instant deadline, std::string what);
    [[nodiscard]] Instant deadline();

    RealWorld world_;
    lane::LaneOptions options_;
};

}  // namespace fencepost::integration
