// The single writer of one submitter, alive only while its node holds the lease. One loop: read the inbox, decide,
// commit, apply, act. While a commit is in progress the inbox collects, and the next turn handles all of it: batches
// form without a timer.
#pragma once

#include <memory>

#include "lane/confirm/confirm.hpp"
#include "lane/host/write_batcher.hpp"
#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"
#include "lane/recovery/recover.hpp"

namespace fencepost::lane {

enum class LaneEnd {
    fenced,    // the lease is lost, or may be: nothing more was sent
    reopen,    // the database state is unknown or differs from memory: reopen, which raises the token
    released,  // release was requested, and nothing is in progress
};

class Lane final : private ChainListener {
public:
    Lane(const Executor& executor, SubmitterId submitter, LaneOptions options, LaneDependencies& world,
         ChainWatch& watch, WriteBatcher& writer, HeldLease& lease);

    /// Runs from the opened lease to its end. State is loaded here, after the opening (failure 23).
    [[nodiscard]] Task<LaneEnd> run();

    /// There may be new work, or a command.
    void wake();
    /// Ends when nothing is being written or sent.
    void release();
    /// The lease was lost or its local deadline passed: wakes the loop.
    void lease_changed() { inbox_.notify(); }
    /// No work and no watched transactions.
    [[nodiscard]] bool is_idle() const { return idle_; }
    /// The number of unread messages.
    [[nodiscard]] std::size_t unread() const { return inbox_.size(); }

private:
    [[nodiscard]] Task<LaneEnd> live();
    struct Opened {
        LaneState state;
        ReadAt read_at;
    };
    [[nodiscard]] Task<std::optional<Opened>> open_state();
    [[nodiscard]] Task<std::optional<LaneEnd>> loop(LaneMemory* known);
    [[nodiscard]] Task<std::optional<LaneEnd>> commit(LaneMemory* known, Turn turn);

    /// Counts the loss of the lease; nothing more is sent.
    void count_fenced(std::string_view operation);
    /// Loads the spending in the policy's window. False: the store did not answer.
    [[nodiscard]] Task<bool> load_spending(LaneMemory* memory);
    void take_messages(LaneMemory& memory, Turn& turn);
    void take(LaneMemory& memory, Message& message, Turn& turn);
    /// Applies chain changes, and returns the nonces to decide in this turn.
    [[nodiscard]] std::vector<Nonce> gather(LaneMemory& memory);
    void decide(LaneMemory& memory, const std::vector<Nonce>& touched, Turn& turn);
    void decide_one(LaneMemory& memory, Tracked& tracked, Turn& turn);
    void act(LaneMemory& memory, const std::vector<Nonce>& touched);
    void check_wake_ups(const LaneMemory& memory);
    void poll_for_work(LaneMemory& memory);
    [[nodiscard]] Task<void> read_queue(AcceptSequence from, std::size_t room);
    [[nodiscard]] Instant next_deadline(const LaneMemory& memory) const;
    [[nodiscard]] Task<void> wait_until(Instant deadline);

    void on_head(const HeadChange& change) override;
    void on_receipt(const Receipt& receipt) override;
    void on_receipt_missed(const TxHash& hash) override;

    WriteBatcher& writer_;
    Inbox inbox_;
    TaskGroup tasks_;
    std::unique_ptr<NonceSupply> nonces_;
    LaneContext context_;

    bool woken_ = true;
    bool releasing_ = false;
    bool idle_ = false;
    bool task_failed_ = false;
    /// Chain changes that were received and not applied yet.
    std::optional<HeadUpdate> head_update_ = HeadUpdate{};
    std::uint64_t checks_ = 0;
    bool reading_queue_ = false;
    bool queue_may_have_more_ = false;
    AcceptSequence poll_from_{};
    AcceptSequence next_poll_from_{};
    Instant poll_at_{};
    Instant full_scan_at_{};
};

}  // namespace fencepost::lane
