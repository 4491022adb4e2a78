// One turn of a lane: what it decided since the last one, written in one commit, and only then believed. Everything
// that leaves the process afterwards (bytes to be sent) is listed here, too: it is on record before it leaves (law 2).
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
    later,  // the table allows it, but not in one step with what this turn has already decided: take it up next turn
    never,  // the table does not know it from here
};

/// A transaction as it will be once this turn is committed.
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

/// What is to be sent after this turn, with the commit that comes before it (law 2).
inline void put_on_record(Edit& edit, Attempt attempt) { edit.update.attempts.push_back(std::move(attempt)); }
inline void put_on_record(Edit& edit, ClaimedSend claim) { edit.update.claims.push_back(std::move(claim)); }

class Turn {
public:
    /// `status` is the submitter's before this turn.
    Turn(SubmitterId submitter, Fence fence, SubmitterStatus status)
        : status_(status),
          write_{.submitter = std::move(submitter), .fence = std::move(fence)} {}

    /// The edit of this transaction, begun if there is none yet.
    [[nodiscard]] Edit& edit(const Transaction& tx);
    [[nodiscard]] Edit& edit(const QueuedIntent& queued);
    /// This turn has already heard of another receipt than the one that is on record.
    [[nodiscard]] bool has_new_receipt(const Transaction& tx) const;

    /// This turn has already moved it.
    [[nodiscard]] bool has_moved(TxId id) const;

    /// The update of a settled one that this lane has let go of, begun if there is none yet.
    [[nodiscard]] TxUpdate& edit_settled(TxId id, Position position);
    /// Its intent is handed in again; the text begins the new one's history.
    void requeue(TxId id, std::string why);
    [[nodiscard]] bool has_requeued(TxId id) const { return requeued_.contains(id); }

    void move_cursor(std::optional<Nonce> expected, Nonce next) { write_.cursor = CursorMove{expected, next}; }
    void watch_from(Nonce nonce) { write_.watch_from = nonce; }
    /// A PROTECT stays: whatever stops the submitter for less must not be what a later resume lifts.
    void set_status(SubmitterStatus status, std::string reason);
    void store_window(WindowState window) { write_.window = window; }
    /// A person has decided, and the chain was looked at. The lane is opened anew after this turn.
    void lift_protect();
    [[nodiscard]] bool lifts_protect() const { return lifts_protect_; }
    /// What was decided so far stops it.
    [[nodiscard]] bool stops_submitter() const { return write_.status && status_ != SubmitterStatus::active; }
    /// As it will be.
    [[nodiscard]] SubmitterStatus status() const { return status_; }
    /// What becomes of a nonce of a shared key; the last word counts.
    void mark_nonce(NonceMark mark) { marks_.insert_or_assign(mark.nonce, std::move(mark)); }
    /// The nonce is free again, and its transaction, which is failed in this turn, is not followed any more.
    void recycle(Nonce nonce, std::string reason);
    [[nodiscard]] bool recycles(Nonce nonce) const { return recycled_.contains(nonce); }
    /// Some transaction gets its nonce.
    [[nodiscard]] bool allocates() const;
    [[nodiscard]] const std::map<TxId, Edit>& edits() const { return edits_; }
    void command_done(CommandSequence sequence) { write_.commands_done.push_back(sequence); }
    /// To be done at the next turn, because this one has already decided something else about it.
    void postpone(Message message) { postponed_.push_back(std::move(message)); }
    /// After the commit, the bytes of its latest attempt are sent.
    void send(Edit& edit) {
        edit.sends = true;
        sends_.push_back(*edit.next.nonce);
    }

    /// Somebody is to be woken, once what was decided is on record.
    void alert(Alert alert) { alerts_.push_back(std::move(alert)); }
    /// About a transaction that needs a person now.
    void call_person(const Transaction& tx, std::string_view why);
    [[nodiscard]] const std::vector<Alert>& alerts() const { return alerts_; }

    [[nodiscard]] bool empty() const;
    [[nodiscard]] LaneWrite to_write() const;
    [[nodiscard]] const std::vector<Nonce>& sends() const { return sends_; }
    [[nodiscard]] std::vector<Message> take_postponed() { return std::exchange(postponed_, {}); }

    /// Adds to what is written of each transaction what the next owner goes on from. To be called before to_write().
    void record_progress(const LaneContext& lane, LaneMemory& memory);

    /// The store has it: now the lane believes it, too.
    void apply_to(LaneContext& lane, LaneMemory& memory);

private:
    static void begin_tracking(LaneContext& lane, LaneMemory& memory, Transaction tx);
    void believe(LaneContext& lane, LaneMemory& memory, Edit& edit);
    static void take_in_receipt(LaneMemory& memory, Tracked& tracked, const Transaction& next);
    static void forget(LaneContext& lane, LaneMemory& memory, Nonce nonce);
    static void let_go_settled(LaneContext& lane, LaneMemory& memory, const Tracked& tracked);
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
