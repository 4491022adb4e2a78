// Reads parts of submitter and transaction rows that both lanes and API queries need.
#pragma once

#include <optional>

#include "domain/tx/attempt.hpp"
#include "domain/tx/receipt.hpp"
#include "ports/store/lane_store.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

struct Cursor {
    Nonce next_nonce;
    Nonce watch_from;
    std::optional<WindowState> window{};
    std::optional<UnixTime> window_since{};
};

[[nodiscard]] std::optional<Cursor> find_cursor(Database& database, const SubmitterId& submitter);
/// Active when there is no row.
[[nodiscard]] StatusChange find_status(Database& database, const SubmitterId& submitter);

/// From columns kind, nonce, tx_hash, raw, gas_params, starting at `column`.
[[nodiscard]] Attempt read_attempt(const Query& row, int column);
/// From the column receipt.
[[nodiscard]] std::optional<Receipt> read_receipt(const Query& row, int column);

}  // namespace fencepost::store::sqlite
