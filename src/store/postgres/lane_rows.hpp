// What a batch of lane writes puts into each table, row by row. The columns are those of the statements in
// write_statements.hpp, in their order. Nothing stands for a default: a column of nothing costs nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "store/postgres/row_columns.hpp"

namespace fencepost::store {

struct TransactionRow {
    Uuid tx_id{};
    std::string submitter{};
    std::string expected_state{};
    std::optional<std::string> expected_sub_state{};
    std::string state{};
    std::optional<std::string> sub_state{};
    std::optional<std::string> abandonment{};
    std::optional<std::int64_t> nonce{};
    std::optional<Bytes> tx_hash{};
    std::optional<bool> done{};
    std::optional<bool> confirmed{};
    std::optional<std::int64_t> sends{};
    std::optional<std::int64_t> next_in{};
    std::optional<bool> receipt_missing{};
    std::optional<std::string> error{};
    std::optional<std::int64_t> receipt_action{};
    std::optional<std::string> receipt{};
    std::optional<std::int64_t> receipt_number{};
    std::optional<Bytes> receipt_hash{};
    std::optional<std::string> confirmations{};
    std::optional<std::int64_t> events{};
    std::int64_t token = 0;
    std::optional<std::string> progress{};

    static constexpr auto columns() {
        using R = TransactionRow;
        return std::tuple(
            RowColumn("tx_id", &R::tx_id), RowColumn("submitter", &R::submitter),
            RowColumn("expected_state", &R::expected_state), RowColumn("expected_sub_state", &R::expected_sub_state),
            RowColumn("state", &R::state), RowColumn("sub_state", &R::sub_state),
            RowColumn("abandonment", &R::abandonment), RowColumn("nonce", &R::nonce), RowColumn("tx_hash", &R::tx_hash),
            RowColumn("done", &R::done), RowColumn("confirmed", &R::confirmed), RowColumn("sends", &R::sends),
            RowColumn("next_in", &R::next_in), RowColumn("receipt_missing", &R::receipt_missing),
            RowColumn("error", &R::error), RowColumn("receipt_action", &R::receipt_action),
            RowColumn("receipt", &R::receipt), RowColumn("receipt_number", &R::receipt_number),
            RowColumn("receipt_hash", &R::receipt_hash), RowColumn("confirmations", &R::confirmations),
            RowColumn("events", &R::events), RowColumn("token", &R::token), RowColumn("progress", &R::progress));
    }
};

struct AttemptRow {
    Uuid tx_id{};
    std::int64_t place = 0;
    std::string kind{};
    std::int64_t nonce = 0;
    Bytes tx_hash{};
    Bytes raw{};
    std::string gas_params{};
    std::int64_t token = 0;
    bool first = false;

    static constexpr auto columns() {
        using R = AttemptRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("place", &R::place), RowColumn("kind", &R::kind),
                          RowColumn("nonce", &R::nonce), RowColumn("tx_hash", &R::tx_hash), RowColumn("raw", &R::raw),
                          RowColumn("gas_params", &R::gas_params), RowColumn("token", &R::token),
                          RowColumn("first", &R::first));
    }
};

/// An intent that is submitted again, as a new transaction.
struct RequeuedRow {
    Uuid tx_id{};
    Uuid requeued_from{};
    std::string request_id{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = RequeuedRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("requeued_from", &R::requeued_from),
                          RowColumn("request_id", &R::request_id), RowColumn("token", &R::token));
    }
};

/// What a connector is asked to sign and send.
struct ClaimRow {
    Uuid tx_id{};
    std::int64_t place = 0;
    std::string kind{};
    std::int64_t nonce = 0;
    std::string payload{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = ClaimRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("place", &R::place), RowColumn("kind", &R::kind),
                          RowColumn("nonce", &R::nonce), RowColumn("payload", &R::payload),
                          RowColumn("token", &R::token));
    }
};

struct EventRow {
    Uuid tx_id{};
    std::int64_t sequence = 0;
    std::string kind{};
    std::string body{};
    std::string node{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = EventRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("sequence", &R::sequence),
                          RowColumn("kind", &R::kind), RowColumn("body", &R::body), RowColumn("node", &R::node),
                          RowColumn("token", &R::token));
    }
};

/// A step of a transaction's history, which stands before the event that comes next.
struct StepRow {
    Uuid tx_id{};
    std::int64_t next_event = 0;
    std::string kind{};
    std::string body{};
    std::string node{};
    std::int64_t token = 0;
    std::int64_t times = 1;

    static constexpr auto columns() {
        using R = StepRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("next_event", &R::next_event),
                          RowColumn("kind", &R::kind), RowColumn("body", &R::body), RowColumn("node", &R::node),
                          RowColumn("token", &R::token), RowColumn("times", &R::times));
    }
};

struct AssignmentRow {
    std::string submitter{};
    std::int64_t nonce = 0;
    Uuid tx_id{};

    static constexpr auto columns() {
        using R = AssignmentRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("nonce", &R::nonce),
                          RowColumn("tx_id", &R::tx_id));
    }
};

struct VerdictRow {
    std::string submitter{};
    std::string state{};
    std::int64_t count = 0;
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = VerdictRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("state", &R::state),
                          RowColumn("count", &R::count), RowColumn("token", &R::token));
    }
};

struct SettledRow {
    Uuid tx_id{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = SettledRow;
        return std::tuple(RowColumn("tx_id", &R::tx_id), RowColumn("token", &R::token));
    }
};

struct CursorRow {
    std::string submitter{};
    std::int64_t next = 0;
    std::int64_t first_watched = 0;
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = CursorRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("next", &R::next),
                          RowColumn("first_watched", &R::first_watched), RowColumn("token", &R::token));
    }
};

struct WatchRow {
    std::string submitter{};
    std::int64_t watch_from = 0;
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = WatchRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("watch_from", &R::watch_from),
                          RowColumn("token", &R::token));
    }
};

struct WindowRow {
    std::string submitter{};
    std::int64_t size = 0;
    std::string cause{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = WindowRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("size", &R::size),
                          RowColumn("cause", &R::cause), RowColumn("token", &R::token));
    }
};

struct StatusRow {
    std::string submitter{};
    std::string status{};
    std::string reason{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = StatusRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("status", &R::status),
                          RowColumn("reason", &R::reason), RowColumn("token", &R::token));
    }
};

struct CommandRow {
    std::int64_t sequence = 0;
    std::string submitter{};

    static constexpr auto columns() {
        using R = CommandRow;
        return std::tuple(RowColumn("sequence", &R::sequence), RowColumn("submitter", &R::submitter));
    }
};

struct DoneCommandRow {
    std::int64_t sequence = 0;
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = DoneCommandRow;
        return std::tuple(RowColumn("sequence", &R::sequence), RowColumn("token", &R::token));
    }
};

/// What happens to a nonce of a shared key.
struct NonceMarkRow {
    std::string submitter{};
    std::int64_t nonce = 0;
    std::string status{};
    std::optional<Bytes> tx_hash{};
    std::string reason{};
    std::int64_t token = 0;

    static constexpr auto columns() {
        using R = NonceMarkRow;
        return std::tuple(RowColumn("submitter", &R::submitter), RowColumn("nonce", &R::nonce),
                          RowColumn("status", &R::status), RowColumn("tx_hash", &R::tx_hash),
                          RowColumn("reason", &R::reason), RowColumn("token", &R::token));
    }
};

}  // namespace fencepost::store
