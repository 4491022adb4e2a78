// A batch of lane writes, turned on its side: one array per column, as PostgreSQL takes it. Only what is granted is
// added, so a refused submitter's rows never reach the database.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store {

template <typename T>
using Column = std::vector<std::optional<T>>;

/// What happens to nonces of shared keys.
struct NonceMarkColumns {
    Column<std::string> submitters;
    Column<std::int64_t> nonces;
    Column<std::string> statuses;
    Column<Bytes> hashes;
    Column<std::string> reasons;
    Column<std::int64_t> tokens;

    void add(const LaneWrite& write);
};

/// What a write expects to find beside its transactions: compared in the database before anything is written.
class Expectations {
public:
    void add(const LaneWrite& write);

    [[nodiscard]] pg::Query cursors() const;
    /// Answers with the submitters of commands that are not pending.
    [[nodiscard]] pg::Query commands() const;
    /// Only shared keys have any.
    [[nodiscard]] bool marks_nonces() const { return !marks_.nonces.empty(); }
    /// Answers with the submitters of allocations that are not as they must be.
    [[nodiscard]] pg::Query allocations() const;

private:
    Column<std::string> cursor_submitters_;
    Column<std::int64_t> commands_;
    Column<std::string> command_submitters_;
    NonceMarkColumns marks_;
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
class WriteColumns {
public:
    void add(const LaneWrite& write, bool renew_lease);

    [[nodiscard]] bool moves_transactions() const { return !tx_.ids.empty(); }
    /// Compares every transaction with what is expected of it, and updates those that are as expected.
    [[nodiscard]] pg::Query move() const;
    /// The submitters of transactions that were not as expected. Only when there are none are events numbered, and may
    /// the rest be written.
    [[nodiscard]] std::set<std::string> take(const pg::Rows& moved);
    /// Everything else.
    [[nodiscard]] std::vector<pg::Query> queries() const;

private:
    // A default is a null, and a column of nothing but nulls costs nothing.
    struct Transactions {
        Column<Uuid> ids;
        Column<std::string> submitters;
        Column<std::string> expected_states;
        Column<std::string> expected_sub_states;
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
        Column<std::string> progress;
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
        Column<bool> first;
    };
    struct Requeued {
        Column<Uuid> ids;
        Column<Uuid> from;
        Column<std::string> requests;
        Column<std::int64_t> tokens;
    };
    struct Claims {
        Column<Uuid> ids;
        Column<std::int64_t> offsets;
        Column<std::string> kinds;
        Column<std::int64_t> nonces;
        Column<std::string> payloads;
        Column<std::int64_t> tokens;
    };
    struct Told {
        // Which update it belongs to, and how far below its transaction's next event it stands; or, of a transaction
        // that is new, where it stands.
        struct Place {
            std::size_t update = 0;
            std::int64_t below = 0;
            std::optional<std::int64_t> of_new{};
        };
        std::vector<Place> places;
        Column<Uuid> ids;
        Column<std::int64_t> sequences;  // from take(); of a step: of the event that comes next
        Column<std::string> kinds;
        Column<std::string> bodies;
        Column<std::string> nodes;
        Column<std::int64_t> tokens;
        Column<std::int64_t> times;
    };

    void add(const TxUpdate& update, const LaneWrite& write);
    void add_receipt(const TxUpdate& update);
    void add_attempts(const TxUpdate& update, std::int64_t token);
    void add_claims(const TxUpdate& update, std::int64_t token);
    void add_told(const TxUpdate& update, const LaneWrite& write);
    void add_requeued(const TxUpdate& update, const LaneWrite& write);
    void tell(Told& told, const TxId& tx, Told::Place place, const Fence& fence, std::string_view kind,
              std::string body);

    SharedConfirmations confirmations_;
    Transactions tx_;
    Attempts attempts_;
    Requeued requeued_;
    Claims claims_;
    Column<std::string> assigned_submitters_;
    Column<std::int64_t> assigned_nonces_;
    Column<Uuid> assigned_ids_;
    Told events_;
    Told foldable_;  // the first step of a transaction without events: may continue its last row
    Told steps_;     // all others
    Column<std::string> verdict_submitters_;
    Column<std::string> verdicts_;
    Column<std::int64_t> verdict_counts_;
    Column<std::int64_t> verdict_tokens_;
    Column<Uuid> settled_ids_;
    Column<std::int64_t> settled_tokens_;
    Column<std::string> cursor_submitters_;
    Column<std::int64_t> cursor_next_;
    Column<std::int64_t> cursor_first_watched_;
    Column<std::int64_t> cursor_tokens_;
    Column<std::string> watch_submitters_;
    Column<std::int64_t> watch_from_;
    Column<std::int64_t> watch_tokens_;
    Column<std::string> window_submitters_;
    Column<std::int64_t> window_sizes_;
    Column<std::string> window_limits_;
    Column<std::int64_t> window_tokens_;
    Column<std::string> status_submitters_;
    Column<std::string> statuses_;
    Column<std::string> status_reasons_;
    Column<std::int64_t> status_tokens_;
    Column<std::int64_t> commands_;
    Column<std::int64_t> command_tokens_;
    NonceMarkColumns marks_;
    Column<std::string> renewed_;
};

}  // namespace fencepost::store
