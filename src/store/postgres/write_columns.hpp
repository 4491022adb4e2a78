// A batch of lane writes, turned on its side: one array per column, as PostgreSQL takes it. Only what is granted is
// added, so a refused submitter's rows never reach the database.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/postgres/pg_connection.hpp"

namespace fencepost::store {

template <typename T>
using Column = std::vector<std::optional<T>>;

/// What a write expects to find: compared in the database before anything is written.
class Expectations {
public:
    void add(const LaneWrite& write);

    [[nodiscard]] pg::Query positions() const;
    [[nodiscard]] pg::Query cursors() const;
    /// Answers with the submitters of commands that are not pending.
    [[nodiscard]] pg::Query commands() const;
    /// To which submitter the n-th compared position belongs.
    [[nodiscard]] const std::string& submitter_of(std::size_t n) const { return *submitters_.at(n); }

private:
    Column<Uuid> ids_;
    Column<std::string> submitters_;
    Column<std::string> states_;
    Column<std::string> sub_states_;
    Column<bool> unassigned_;
    Column<std::string> cursor_submitters_;
    Column<std::int64_t> commands_;
    Column<std::string> command_submitters_;
};

/// What is written.
class WriteColumns {
public:
    void add(const LaneWrite& write, bool renew_lease);

    [[nodiscard]] std::vector<pg::Query> queries() const;

private:
    struct Transactions {
        Column<Uuid> ids;
        Column<std::string> states;
        Column<std::string> sub_states;
        Column<std::string> abandonments;
        Column<std::int64_t> nonces;
        Column<Bytes> hashes;
        Column<bool> done;
        Column<bool> confirmed;
        Column<std::int64_t> sends;
        Column<std::int64_t> next_in;
        Column<bool> receipt_missing;
        Column<std::string> errors;
        Column<std::int64_t> receipt_actions;
        Column<std::string> receipts;
        Column<std::int64_t> receipt_numbers;
        Column<Bytes> receipt_hashes;
        Column<std::string> confirmations;
        Column<std::int64_t> events;
        Column<std::int64_t> tokens;
    };
    struct Attempts {
        Column<Uuid> ids;
        Column<std::int64_t> offsets;
        Column<std::string> kinds;
        Column<std::int64_t> nonces;
        Column<Bytes> hashes;
        Column<Bytes> raws;
        Column<std::string> gas_params;
        Column<std::int64_t> tokens;
    };
    struct Told {
        Column<Uuid> ids;
        Column<std::int64_t> offsets;  // of an event: how far above the transaction's next number
        Column<std::string> kinds;
        Column<std::string> bodies;
        Column<std::string> nodes;
        Column<std::int64_t> tokens;
        Column<std::int64_t> times;
    };

    void add(const TxUpdate& update, const LaneWrite& write);
    void add_receipt(const TxUpdate& update);
    void add_attempts(const TxUpdate& update, std::int64_t token);
    void add_told(const TxUpdate& update, const LaneWrite& write);

    Transactions tx_;
    Attempts attempts_;
    Column<std::string> assigned_submitters_;
    Column<std::int64_t> assigned_nonces_;
    Column<Uuid> assigned_ids_;
    Told events_;
    Told foldable_;  // the first step of a transaction without events: may continue its last row
    Told steps_;     // all others
    Column<std::string> cursor_submitters_;
    Column<std::int64_t> cursor_next_;
    Column<std::int64_t> cursor_first_watched_;
    Column<std::int64_t> cursor_tokens_;
    Column<std::string> watch_submitters_;
    Column<std::int64_t> watch_from_;
    Column<std::int64_t> watch_tokens_;
    Column<std::string> status_submitters_;
    Column<std::string> statuses_;
    Column<std::string> status_reasons_;
    Column<std::int64_t> status_tokens_;
    Column<std::int64_t> commands_;
    Column<std::int64_t> command_tokens_;
    Column<std::string> renewed_;
};

}  // namespace fencepost::store
