// A batch of lane writes as rows of the tables that it changes. Only what is granted is added, so a refused submitter's
// rows never reach the database.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/lane_rows.hpp"

namespace fencepost::store {

/// What a write expects to find beside its transactions: compared in the database before anything is written.
class Expectations {
public:
    void add(const LaneWrite& write);

    [[nodiscard]] pg::Query cursors() const;
    /// Answers with the submitters of commands that are not pending.
    [[nodiscard]] pg::Query commands() const;
    /// Only shared keys have any.
    [[nodiscard]] bool marks_nonces() const { return !marks_.empty(); }
    /// Answers with the submitters of allocations that are not as they must be.
    [[nodiscard]] pg::Query allocations() const;

private:
    std::vector<std::optional<std::string>> cursor_submitters_;
    std::vector<CommandRow> commands_;
    std::vector<NonceMarkRow> marks_;
};

/// Transactions of one block settle together, with one list of confirmations: it is turned into JSON once.
class SharedConfirmations {
public:
    [[nodiscard]] const std::string& encoded(const std::vector<BlockRef>& blocks);
    [[nodiscard]] const std::string& encoded(const TxConfirmed& event);

private:
    std::optional<std::vector<BlockRef>> blocks_;
    std::string blocks_text_;
    std::optional<TxConfirmed> event_;
    std::string event_text_;
};

/// What is written: first move(), whose answer take() judges, then queries().
class WriteRows {
public:
    void add(const LaneWrite& write, bool renew_lease);

    [[nodiscard]] bool moves_transactions() const { return !transactions_.empty(); }
    /// Compares every transaction with what is expected of it, and updates those that are as expected.
    [[nodiscard]] pg::Query move() const;
    /// The submitters of transactions that were not as expected. Only when there are none are events numbered, and may
    /// the rest be written.
    [[nodiscard]] std::set<std::string> take(const pg::Rows& moved);
    /// Everything else.
    [[nodiscard]] std::vector<pg::Query> queries() const;

private:
    /// Events and steps are numbered when the database has told which event of the transaction comes next.
    struct Place {
        std::size_t update = 0;                // the transaction's, of this batch
        std::int64_t below = 0;                // so far below its next event
        std::optional<std::int64_t> of_new{};  // of a transaction that is new
    };
    template <typename Row>
    struct Numbered {
        std::vector<Place> places;
        std::vector<Row> rows;
    };

    void add(const TxUpdate& update, const LaneWrite& write);
    static void add_receipt(TransactionRow& row, const TxUpdate& update);
    void add_attempts(const TxUpdate& update, std::int64_t token);
    void add_claims(const TxUpdate& update, std::int64_t token);
    void add_events(const TxUpdate& update, const Fence& fence);
    void add_history(const TxUpdate& update, const Fence& fence);
    void add_requeued(const TxUpdate& update, const LaneWrite& write);
    [[nodiscard]] std::size_t current_update() const { return transactions_.size() - 1; }

    SharedConfirmations confirmations_;
    std::vector<TransactionRow> transactions_;
    std::vector<AttemptRow> attempts_;
    std::vector<RequeuedRow> requeued_;
    std::vector<ClaimRow> claims_;
    std::vector<AssignmentRow> assignments_;
    Numbered<EventRow> events_;
    Numbered<StepRow> foldable_;  // the first step of a transaction without events: may continue its last row
    Numbered<StepRow> steps_;     // all others
    std::vector<VerdictRow> verdicts_;
    std::vector<SettledRow> settled_;
    std::vector<CursorRow> cursors_;
    std::vector<WatchRow> watches_;
    std::vector<WindowRow> windows_;
    std::vector<StatusRow> statuses_;
    std::vector<DoneCommandRow> commands_;
    std::vector<NonceMarkRow> marks_;
    std::vector<std::optional<std::string>> renewed_;
};

}  // namespace fencepost::store
