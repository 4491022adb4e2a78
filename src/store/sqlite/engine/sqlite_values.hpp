// Maps domain types to SQLite columns: integers, text and blobs; an absent value is NULL. One function for each
// direction, so that writing and reading cannot diverge.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/assert.hpp"
#include "base/bytes.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"

namespace fencepost::store::sqlite {

/// Views the value it was made from, and must not outlive it.
using Value = std::variant<std::monostate, std::int64_t, std::string_view, ByteView>;

template <typename T>
concept Optional = requires(const T& value) {
    typename T::value_type;
    value.has_value();
    *value;
};
template <typename T>
concept StrongType = requires(const T& value) {
    typename T::Value;
    { value.value() } -> std::same_as<const typename T::Value&>;
};
template <typename T>
concept FixedSizeBytes = requires(const T& value) {
    T::length;
    { value.view() } -> std::same_as<ByteView>;
};
/// A name with one canonical text: a submitter, a chain.
template <typename T>
concept CanonicalText = requires(const T& value) {
    { value.to_string() } -> std::same_as<const std::string&>;
    T::parse(std::string_view());
};

/// Values must be read back exactly; SQLite's integers end at 2^63 - 1.
template <std::integral T>
[[nodiscard]] std::int64_t to_integer(T value) {
    FP_ASSERT(std::in_range<std::int64_t>(value), "{} exceeds a column", value);
    return static_cast<std::int64_t>(value);
}

/// For comparisons and limits only: no stored value exceeds the maximum.
template <typename Count>
[[nodiscard]] std::int64_t bound(Count count) {
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    if constexpr (StrongType<Count>) {
        return bound(count.value());
    } else {
        return std::in_range<std::int64_t>(count) ? static_cast<std::int64_t>(count) : greatest;
    }
}

template <typename T>
[[nodiscard]] Value to_value(const T& value) {
    if constexpr (std::same_as<T, bool>) {
        return std::int64_t{value};
    } else if constexpr (std::integral<T>) {
        return to_integer(value);
    } else if constexpr (std::same_as<T, UnixTime>) {
        return std::int64_t{value.time_since_epoch().count()};
    } else if constexpr (std::convertible_to<T, std::string_view>) {
        return std::string_view(value);
    } else if constexpr (NamedEnum<T>) {
        return name_of(value);
    } else if constexpr (FixedSizeBytes<T>) {
        return value.view();
    } else if constexpr (StrongType<T>) {
        return to_value(value.value());
    } else if constexpr (CanonicalText<T>) {
        return std::string_view(value.to_string());
    } else if constexpr (Optional<T>) {
        return value ? to_value(*value) : Value{};
    } else {
        return ByteView(value);
    }
}

/// Reads a column; `Row` has is_null(), integer(), text() and blob(). A value that to_value() cannot have written is a
/// corrupted row, and aborts.
template <typename T, typename Row>
[[nodiscard]] T from_column(const Row& row, int column) {
    if constexpr (Optional<T>) {
        if (row.is_null(column)) return std::nullopt;
        return from_column<typename T::value_type>(row, column);
    } else if constexpr (std::same_as<T, bool>) {
        return row.integer(column) != 0;
    } else if constexpr (std::integral<T>) {
        const auto integer = row.integer(column);
        FP_ASSERT(std::in_range<T>(integer), "column {} holds {}", column, integer);
        return static_cast<T>(integer);
    } else if constexpr (std::same_as<T, UnixTime>) {
        return UnixTime(std::chrono::microseconds(row.integer(column)));
    } else if constexpr (std::same_as<T, std::string>) {
        return std::string(row.text(column));
    } else if constexpr (NamedEnum<T>) {
        const auto value = value_of<T>(row.text(column));
        FP_ASSERT(value.has_value(), "column {} holds '{}', which is not a known name", column, row.text(column));
        return *value;
    } else if constexpr (FixedSizeBytes<T>) {
        const auto blob = row.blob(column);
        T value;
        FP_ASSERT(blob.size() == T::length, "column {} holds {} bytes instead of {}", column, blob.size(), T::length);
        std::ranges::copy(blob, value.data.begin());
        return value;
    } else if constexpr (StrongType<T>) {
        return T(from_column<typename T::Value>(row, column));
    } else if constexpr (CanonicalText<T>) {
        auto value = T::parse(row.text(column));
        FP_ASSERT(value.has_value(), "column {}: {}", column, value.error().what);
        return *std::move(value);
    } else {
        static_assert(std::same_as<T, Bytes>);
        return to_bytes(row.blob(column));
    }
}

}  // namespace fencepost::store::sqlite
