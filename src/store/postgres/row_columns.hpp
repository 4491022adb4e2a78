// Rows that go to PostgreSQL as one array per column. A row type names its columns once; the parameters follow from
// that, and a statement that takes the rows is compared with it at compile time: no value gets into another column.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store {

template <typename Row, typename T>
struct RowColumn {
    std::string_view name;
    T Row::* member;
};
template <typename Row, typename T>
RowColumn(const char*, T Row::*) -> RowColumn<Row, T>;

/// `columns` of a row type: a tuple of RowColumn.
template <typename Row>
inline constexpr std::size_t column_count = std::tuple_size_v<std::remove_cvref_t<decltype(Row::columns())>>;

namespace detail {

template <typename T>
struct ColumnValue {
    using Type = T;
};
template <typename T>
struct ColumnValue<std::optional<T>> {
    using Type = T;
};

template <typename T>
consteval std::string_view array_type() {
    if constexpr (std::is_same_v<T, std::int64_t>) return "bigint[]";
    if constexpr (std::is_same_v<T, std::string>) return "text[]";
    if constexpr (std::is_same_v<T, Bytes>) return "bytea[]";
    if constexpr (std::is_same_v<T, Uuid>) return "uuid[]";
    if constexpr (std::is_same_v<T, bool>) return "bool[]";
}

/// Reads a statement piece by piece; white space counts for nothing.
class SqlReader {
public:
    explicit consteval SqlReader(std::string_view sql) : rest_(sql) {}

    consteval bool take(std::string_view piece) {
        auto rest = rest_;
        for (const char c : piece) {
            if (c == ' ') continue;
            skip_space(rest);
            if (rest.empty() || rest.front() != c) return false;
            rest.remove_prefix(1);
        }
        rest_ = rest;
        return true;
    }
    consteval bool find(std::string_view piece) {
        const auto at = rest_.find(piece);
        if (at == std::string_view::npos) return false;
        rest_.remove_prefix(at + piece.size());
        return true;
    }
    /// A parameter's number.
    consteval bool take_number(std::size_t number) {
        if (number >= 10 && !take_number(number / 10)) return false;
        const char digit = static_cast<char>('0' + number % 10);
        return take(std::string_view(&digit, 1));
    }

private:
    static consteval void skip_space(std::string_view& text) {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
            text.remove_prefix(1);
    }

    std::string_view rest_;
};

template <typename Row, std::size_t... I>
consteval std::array<std::pair<std::string_view, std::string_view>, sizeof...(I)> described(
    std::index_sequence<I...> /*columns*/) {
    const auto describe = [](const auto& column) consteval {
        using Member = std::remove_cvref_t<decltype(std::declval<Row>().*column.member)>;
        return std::pair(column.name, array_type<typename ColumnValue<Member>::Type>());
    };
    return {describe(std::get<I>(Row::columns()))...};
}

template <typename Row>
void add_columns(pg::Params& params, const std::vector<Row>& rows, std::size_t count) {
    const auto add = [&](const auto& column) {
        using Member = std::remove_cvref_t<decltype(rows.front().*column.member)>;
        std::vector<std::optional<typename ColumnValue<Member>::Type>> values;
        values.reserve(rows.size());
        for (const auto& row : rows)
            values.emplace_back(row.*column.member);
        // unnest() fills what is missing of the shorter arrays with nulls, so a column of nothing else is not sent.
        if (std::ranges::none_of(values, [](const auto& value) { return value.has_value(); })) values.clear();
        params.add(values);
    };
    std::size_t added = 0;
    std::apply([&](const auto&... columns) { ((added++ < count ? add(columns) : void()), ...); }, Row::columns());
}

}  // namespace detail

/// How many of the row's columns the statement takes, which must be its first ones:
/// `unnest($1::uuid[], $2::text[]) AS i (tx_id, submitter)`, also WITH ORDINALITY.
template <typename Row>
consteval std::size_t columns_taken(const pg::Statement& statement) {
    constexpr auto columns = detail::described<Row>(std::make_index_sequence<column_count<Row>>());
    detail::SqlReader sql(statement.sql);
    if (!sql.find("unnest(")) throw "the statement takes no rows";
    std::size_t taken = 0;
    do {
        if (taken == columns.size()) throw "the statement takes more than the row has";
        if (!sql.take("$") || !sql.take_number(taken + 1) || !sql.take("::") || !sql.take(columns[taken].second))
            throw "a parameter has another type than the row's column";
        ++taken;
    } while (sql.take(","));
    if (!sql.take(")")) throw "the list of parameters does not end";
    const bool is_numbered = sql.take("WITH ORDINALITY");
    if (!sql.take("AS i (")) throw "the rows must be called i";
    for (std::size_t i = 0; i < taken; ++i) {
        if ((i > 0 && !sql.take(",")) || !sql.take(columns[i].first)) throw "a column has another name than the row's";
    }
    if (is_numbered && !sql.take(", ord")) throw "the number of a row must be called ord";
    if (!sql.take(")")) throw "a column has another name than the row's";
    return taken;
}

/// The statement with these rows.
template <const auto& statement, typename Row>
[[nodiscard]] pg::Query query_of(const std::vector<Row>& rows) {
    constexpr auto count = columns_taken<Row>(statement);
    pg::Query query{&statement};
    detail::add_columns(query.params, rows, count);
    return query;
}

}  // namespace fencepost::store
