// Shared row readers.
#include "store/sqlite/tx_rows.hpp"

#include "store/json_codec.hpp"

namespace fencepost::store::sqlite {

std::optional<Cursor> find_cursor(Database& database, const SubmitterId& submitter) {
    Query row(database, R"sql(
SELECT next_nonce, watch_from, window_size, window_limit, window_changed_at
FROM submitter_nonce_cursor
WHERE submitter = :submitter
)sql",
              submitter);
    if (!row.step()) return std::nullopt;
    Cursor cursor{.next_nonce = row.get<Nonce>(0), .watch_from = row.get<Nonce>(1)};
    if (!row.is_null(2)) {
        cursor.window = {row.get<std::uint32_t>(2), row.get<WindowLimit>(3)};
        cursor.window_since = row.get<UnixTime>(4);
    }
    return cursor;
}

StatusChange find_status(Database& database, const SubmitterId& submitter) {
    Query row(database, "SELECT status, reason FROM submitter_status WHERE submitter = :submitter", submitter);
    if (!row.step()) return {};
    return {row.get<SubmitterStatus>(0), row.get<std::string>(1)};
}

Attempt read_attempt(const Query& row, int column) {
    const auto params = decode_gas_params(row.text(column + 4));
    return {.kind = row.get<AttemptKind>(column),
            .nonce = row.get<Nonce>(column + 1),
            .hash = row.get<TxHash>(column + 2),
            .raw = row.get<Bytes>(column + 3),
            .fees = params.fees,
            .gas_limit = params.gas_limit};
}

std::optional<Receipt> read_receipt(const Query& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return decode_receipt(row.text(column));
}

}  // namespace fencepost::store::sqlite
