// Reads columns of our tables as domain values.
#pragma once

#include <optional>
#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/json_codec.hpp"
#include "store/postgres/connection/pg_values.hpp"

namespace fencepost::store {

/// One value per row, from a function of the row number.
template <typename Read>
auto each_row(const pg::Rows& rows, Read read) {
    std::vector<decltype(read(std::size_t{}))> values;
    values.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        values.push_back(read(row));
    return values;
}

inline std::uint64_t unsigned_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return static_cast<std::uint64_t>(rows.integer(row, column));
}
inline Nonce nonce_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return Nonce(unsigned_at(rows, row, column));
}
inline AcceptSequence sequence_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return AcceptSequence(unsigned_at(rows, row, column));
}
inline std::optional<TxId> tx_id_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return TxId(rows.uuid(row, column));
}
template <typename Fixed>
Fixed fixed_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return Fixed::from(rows.bytes(row, column)).value();
}
/// Two columns: state, sub_state.
inline Position position_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return {value_of<State>(rows.text(row, column)).value(), value_of<SubState>(rows.text(row, column + 1)).value()};
}
/// Two columns: status, reason.
inline StatusChange status_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    return {value_of<SubmitterStatus>(rows.text(row, column)).value(), rows.text(row, column + 1)};
}
inline std::optional<Receipt> receipt_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return decode_receipt(rows.text(row, column));
}
inline std::optional<std::string> text_or_null_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return std::string(rows.text(row, column));
}
inline std::optional<UnixTime> time_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return rows.time(row, column);
}
/// Two columns: window_size, window_limit. Empty until a lane has written them.
inline std::optional<WindowState> window_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column) || rows.is_null(row, column + 1)) return std::nullopt;
    return WindowState{static_cast<std::uint32_t>(rows.integer(row, column)),
                       value_of<WindowLimit>(rows.text(row, column + 1)).value()};
}
/// Five columns: kind, nonce, tx_hash, raw, gas_params.
inline Attempt attempt_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
    const auto gas = decode_gas_params(rows.text(row, column + 4));
    return {.kind = value_of<AttemptKind>(rows.text(row, column)).value(),
            .nonce = nonce_at(rows, row, column + 1),
            .hash = fixed_at<TxHash>(rows, row, column + 2),
            .raw = rows.bytes(row, column + 3),
            .fees = gas.fees,
            .gas_limit = gas.gas_limit};
}

}  // namespace fencepost::store
