// The single writer of one submitter, alive only while its node holds the lease. One loop: read the inbox, decide,
// commit, believe, act. While a commit is under way the inbox gathers, and the next turn takes all of it: batches form
// by themselves, and a lone transaction waits for nobody.
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
    fenced,    // the lease is somebody else's, or may be: nothing more was sent
    reopen,    // what is in the database is not what we thought, or not known: open anew, which raises the token
    released,  // asked to stop, and nothing is under way
};

class Lane final : private ChainListener {
public:
    Lane(const Executor& executor, SubmitterId submitter, LaneOptions options, LaneWorld& world, ChainWatch& watch,
         WriteBatcher& writer, HeldLease& lease);

    /// From the opened lease to its end. State is loaded here, after the opening (failure 23).
    [[nodiscard]] Task<LaneEnd> run();

    /// There may be new work, or a command.
    void wake();
    /// Ends once nothing is being written or sent.
    void release();
    /// The lease was lost or its local deadline passed: the loop looks at once.
    void lease_changed() { inbox_.ring(); }
    /// Nothing to do and nothing to watch.
    [[nodiscard]] bool is_idle() const { return idle_; }
    /// What was reported to it and is not read yet.
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

    /// The lease is gone: nothing more is sent.
    void count_fenced(std::string_view operation);
    /// What the policy's window holds already. False: the store did not say.
    [[nodiscard]] Task<bool> load_spending(LaneMemory* memory);
    void take_messages(LaneMemory& memory, Turn& turn);
    void take(LaneMemory& memory, Message& message, Turn& turn);
    /// Follows the chain, and takes those that are to be decided about in this turn.
    [[nodiscard]] std::vector<Nonce> gather(LaneMemory& memory);
    void decide(LaneMemory& memory, const std::vector<Nonce>& touched, Turn& turn);
    void decide_one(LaneMemory& memory, Tracked& tracked, Turn& turn);
    void act(LaneMemory& memory, const std::vector<Nonce>& touched);
    void check_wake_ups(const LaneMemory& memory);
    void look_for_work(LaneMemory& memory);
    [[nodiscard]] Task<void> read_queue(AcceptSequence from, std::size_t room);
    [[nodiscard]] Instant next_deadline(const LaneMemory& memory) const;
    [[nodiscard]] Task<void> wait_until(Instant deadline);

    void on_head(const HeadChange& change) override;
    void on_receipt(const Receipt& receipt) override;
    void on_receipt_missed(const TxHash& hash) override;

    WriteBatcher& writer_;
    Inbox inbox_;
    TaskGroup errands_;
    std::unique_ptr<NonceSupply> nonces_;
    LaneContext context_;

    bool woken_ = true;
    bool releasing_ = false;
    bool idle_ = false;
    bool errand_failed_ = false;
    /// What was heard of the chain and not followed yet.
    std::optional<HeadNews> news_ = HeadNews{};
    std::uint64_t checks_ = 0;
    bool reading_queue_ = false;
    bool queue_may_have_more_ = false;
    AcceptSequence look_from_{};
    AcceptSequence next_look_from_{};
    Instant look_at_{};
    Instant full_look_at_{};
};

}  // namespace fencepost::lane
