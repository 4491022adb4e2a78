// Converts values to and from PostgreSQL's binary format without exposing libpq types.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"

namespace fencepost::store::pg {

/// The parameters of one statement, in order. An array is one parameter for a whole batch; its elements may be null.
class Params {
public:
    Params& add(std::int64_t value);
    /// Accepts bool only: a string literal or an integer must not convert to one.
    Params& add(std::same_as<bool> auto value) { return add_boolean(value); }
    Params& add(std::string_view value);
    Params& add(const Uuid& value);
    Params& add(ByteView value);
    /// As an interval in microseconds.
    Params& add(Duration value);
    /// Has the type that the statement gives it: write $1::bigint there.
    Params& add_null();

    Params& add(const std::vector<std::optional<std::int64_t>>& values);
    Params& add(const std::vector<std::optional<std::string>>& values);
    Params& add(const std::vector<std::optional<Bytes>>& values);
    Params& add(const std::vector<std::optional<Uuid>>& values);
    Params& add(const std::vector<std::optional<bool>>& values);

    struct Value {
        std::uint32_t type = 0;  // PostgreSQL's oid; 0 lets the statement decide
        std::optional<Bytes> bytes{};
    };
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }

private:
    Params& add_boolean(bool value);

    std::vector<Value> values_;
};

/// The result rows of a statement, in binary. FP_ASSERTs that a column is read as its own type.
class Rows {
public:
    Rows();
    ~Rows();
    Rows(Rows&&) noexcept;
    Rows& operator=(Rows&&) noexcept;

    [[nodiscard]] std::size_t size() const;
    /// Number of rows that the statement changed.
    [[nodiscard]] std::uint64_t affected() const;

    [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;  // int2, int4, int8, xid8
    [[nodiscard]] bool boolean(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;  // text, name, json, jsonb
    [[nodiscard]] Bytes bytes(std::size_t row, std::size_t column) const;
    [[nodiscard]] Uuid uuid(std::size_t row, std::size_t column) const;
    /// '-infinity' is UnixTime::min(), 'infinity' is UnixTime::max().
    [[nodiscard]] UnixTime time(std::size_t row, std::size_t column) const;

    struct Impl;
    explicit Rows(std::unique_ptr<Impl> impl);

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::store::pg
