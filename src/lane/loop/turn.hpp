// One turn of a lane: its decisions are collected, written in one commit, and only then applied to memory. It also
// lists what leaves the process afterwards (bytes to be sent), which is therefore recorded first (law 2).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

enum class Moved {
    yes,
    later,  // legal, but not together with an earlier transition of this turn: retry next turn
    never,  // not in the transition table
};

/// The state of a transaction after this turn is committed.
struct Edit {
    explicit Edit(Transaction tx)
        : next(std::move(tx)),
          update{.tx = next.id, .expected = next.position, .to = next.position} {}

    Transaction next;
    TxUpdate update;
    /// After the commit the bytes of its latest attempt are sent.
    bool sends = false;

    [[nodiscard]] Moved move(Trigger trigger);
    void tell(TxEventBody event) { update.events.push_back(std::move(event)); }
    void note(HistoryKind kind, std::string detail = {}) { update.history.push_back({kind, std::move(detail)}); }
};

/// Records what is sent after this turn (law 2).
inline void put_on_record(Edit& edit, Attempt attempt) { edit.update.attempts.push_back(std::move(attempt)); }
inline void put_on_record(Edit& edit, ClaimedSend claim) { edit.update.claims.push_back(std::move(claim)); }

class Turn {
public:
    /// `status` is the submitter's status before this turn.
    Turn(SubmitterId submitter, Fence fence, SubmitterStatus status)
        : status_(status),
          write_{.submitter = std::move(submitter), .fence = std::move(fence)} {}

    /// The edit of this transaction, created if needed.
    [[nodiscard]] Edit& edit(const Transaction& tx);
    [[nodiscard]] Edit& edit(const QueuedIntent& queued);
    /// This turn has a new receipt that differs from the recorded one.
    [[nodiscard]] bool has_new_receipt(const Transaction& tx) const;

    /// This turn already contains a transition for it.
    [[nodiscard]] bool has_moved(TxId id) const;

    /// The update of a settled transaction that is no longer in memory, created if needed.
    [[nodiscard]] TxUpdate& edit_settled(TxId id, Position position);
    /// Requeues its intent; the text is the first history step of the new transaction.
    void requeue(TxId id, std::string why);
    [[nodiscard]] bool has_requeued(TxId id) const { return requeued_.contains(id); }

    void move_cursor(std::optional<Nonce> expected, Nonce next) { write_.cursor = CursorMove{expected, next}; }
    void watch_from(Nonce nonce) { write_.watch_from = nonce; }
    /// A PROTECT is not replaced by a lesser stop, which a later resume would lift.
    void set_status(SubmitterStatus status, std::string reason);
    void store_window(WindowState window) { write_.window = window; }
    /// An operator has lifted PROTECT, and the chain was checked. The lane is reopened after this turn.
    void lift_protect();
    [[nodiscard]] bool lifts_protect() const { return lifts_protect_; }
    /// Decisions of this turn stop the submitter.
    [[nodiscard]] bool stops_submitter() const { return write_.status && status_ != SubmitterStatus::active; }
    /// The status after this turn.
    [[nodiscard]] SubmitterStatus status() const { return status_; }
    /// Marks a nonce of a shared key; the last mark counts.
    void mark_nonce(NonceMark mark) { marks_.insert_or_assign(mark.nonce, std::move(mark)); }
    /// Releases the nonce and stops tracking its transaction, which fails in this turn.
    void recycle(Nonce nonce, std::string reason);
    [[nodiscard]] bool recycles(Nonce nonce) const { return recycled_.contains(nonce); }
    /// Whether a nonce is allocated.
    [[nodiscard]] bool allocates() const;
    [[nodiscard]] const std::map<TxId, Edit>& edits() const { return edits_; }
    void command_done(CommandSequence sequence) { write_.commands_done.push_back(sequence); }
    /// Handles the message in the next turn, because this one already has another decision about it.
    void postpone(Message message) { postponed_.push_back(std::move(message)); }
    /// Sends the bytes of its latest attempt after the commit.
    void send(Edit& edit) {
        edit.sends = true;
        sends_.push_back(*edit.next.nonce);
    }

    /// Raises the alert after the commit.
    void alert(Alert alert) { alerts_.push_back(std::move(alert)); }
    /// Raises an alert about a transaction that needs an operator.
    void alert_operator(const Transaction& tx, std::string_view why);
    [[nodiscard]] const std::vector<Alert>& alerts() const { return alerts_; }

    [[nodiscard]] bool empty() const;
    [[nodiscard]] LaneWrite to_write() const;
    [[nodiscard]] const std::vector<Nonce>& sends() const { return sends_; }
    [[nodiscard]] std::vector<Message> take_postponed() { return std::exchange(postponed_, {}); }

    /// Adds the progress from which the next owner continues. Call before to_write().
    void record_progress(const LaneContext& lane, LaneMemory& memory);

    /// The write was applied: applies it to the memory.
    void apply_to(LaneContext& lane, LaneMemory& memory);

private:
    static void begin_tracking(LaneContext& lane, LaneMemory& memory, Transaction tx);
    void apply_edit(LaneContext& lane, LaneMemory& memory, Edit& edit);
    static void apply_receipt(LaneMemory& memory, Tracked& tracked, const Transaction& next);
    static void forget(LaneContext& lane, LaneMemory& memory, Nonce nonce);
    static void drop_settled(LaneContext& lane, LaneMemory& memory, const Tracked& tracked);
    static void note_spending(const LaneContext& lane, LaneMemory& memory, const Tracked& tracked,
                              const TxUpdate& update);

    SubmitterStatus status_;
    bool lifts_protect_ = false;
    LaneWrite write_;
    std::map<TxId, Edit> edits_;
    std::map<Nonce, NonceMark> marks_;
    std::set<Nonce> recycled_;
    std::vector<Nonce> sends_;
    std::vector<Message> postponed_;
    std::map<TxId, TxUpdate> settled_;
    std::set<TxId> requeued_;
    std::vector<Alert> alerts_;
};

}  // namespace fencepost::lane
