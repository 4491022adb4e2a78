// Conversion of parameters and columns.
#include "store/postgres/connection/pg_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "base/assert.hpp"
#include "store/postgres/connection/pg_binary.hpp"
#include "store/postgres/connection/pg_libpq.hpp"

namespace fencepost::store::pg {
namespace {

Params::Value value_of(Oid type, Bytes bytes) { return {static_cast<std::uint32_t>(type), std::move(bytes)}; }

Bytes encode(std::int64_t value) {
    Bytes bytes;
    append_integer(bytes, value);
    return bytes;
}
Bytes encode(bool value) { return {static_cast<std::uint8_t>(value ? 1 : 0)}; }

ByteView view_of(const std::string& value) { return as_bytes(value); }
ByteView view_of(const Bytes& value) { return value; }
ByteView view_of(const Uuid& value) { return value.view(); }
std::array<std::uint8_t, sizeof(std::int64_t)> view_of(std::int64_t value) { return big_endian(value); }
std::array<std::uint8_t, 1> view_of(bool value) { return {static_cast<std::uint8_t>(value ? 1 : 0)}; }

template <typename T>
Params::Value array_of(Oid type, Oid element, const std::vector<std::optional<T>>& values) {
    std::size_t size = 0;
    for (const auto& value : values)
        size += value ? ByteView(view_of(*value)).size() : 0;
    ArrayWriter writer(element, values.size(), size);
    for (const auto& value : values) {
        if (value) {
            writer.add(view_of(*value));
        } else {
            writer.add_null();
        }
    }
    return value_of(type, writer.finish());
}

}  // namespace

Params& Params::add(std::int64_t value) {
    values_.push_back(value_of(Oid::int8, encode(value)));
    return *this;
}
Params& Params::add_boolean(bool value) {
    values_.push_back(value_of(Oid::boolean, encode(value)));
    return *this;
}
Params& Params::add(std::string_view value) {
    values_.push_back(value_of(Oid::text, to_bytes(as_bytes(value))));
    return *this;
}
Params& Params::add(const Uuid& value) {
    values_.push_back(value_of(Oid::uuid, to_bytes(value.view())));
    return *this;
}
Params& Params::add(ByteView value) {
    values_.push_back(value_of(Oid::bytea, to_bytes(value)));
    return *this;
}
Params& Params::add(Duration value) {
    Bytes bytes = encode(std::chrono::duration_cast<std::chrono::microseconds>(value).count());
    append_integer(bytes, std::int32_t{0});  // days
    append_integer(bytes, std::int32_t{0});  // months
    values_.push_back(value_of(Oid::interval, std::move(bytes)));
    return *this;
}
Params& Params::add_null() {
    values_.emplace_back();
    return *this;
}

Params& Params::add(const std::vector<std::optional<std::int64_t>>& values) {
    values_.push_back(array_of(Oid::int8_array, Oid::int8, values));
    return *this;
}
Params& Params::add(const std::vector<std::optional<std::string>>& values) {
    values_.push_back(array_of(Oid::text_array, Oid::text, values));
    return *this;
}
Params& Params::add(const std::vector<std::optional<Bytes>>& values) {
    values_.push_back(array_of(Oid::bytea_array, Oid::bytea, values));
    return *this;
}
Params& Params::add(const std::vector<std::optional<Uuid>>& values) {
    values_.push_back(array_of(Oid::uuid_array, Oid::uuid, values));
    return *this;
}
Params& Params::add(const std::vector<std::optional<bool>>& values) {
    values_.push_back(array_of(Oid::boolean_array, Oid::boolean, values));
    return *this;
}

namespace {

struct Field {
    Oid type;
    ByteView bytes;
};

Field field_of(const PGresult* result, std::size_t row, std::size_t column) {
    const int r = static_cast<int>(row);
    const int c = static_cast<int>(column);
    FP_ASSERT(result != nullptr && r < PQntuples(result) && c < PQnfields(result), "there is no row {}, column {}", row,
              column);
    FP_ASSERT(PQgetisnull(result, r, c) == 0, "row {}, column {} (\"{}\") is null", row, column, PQfname(result, c));
    const auto* data = reinterpret_cast<const std::uint8_t*>(PQgetvalue(result, r, c));
    return {static_cast<Oid>(PQftype(result, c)), {data, static_cast<std::size_t>(PQgetlength(result, r, c))}};
}

ByteView bytes_of(const PGresult* result, std::size_t row, std::size_t column, std::span<const Oid> allowed) {
    const auto field = field_of(result, row, column);
    FP_ASSERT(std::ranges::count(allowed, field.type) > 0, "column {} has the type with the oid {}", column,
              static_cast<std::uint32_t>(field.type));
    return field.bytes;
}

}  // namespace

Rows::Rows() = default;
Rows::Rows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

std::size_t Rows::size() const { return impl_ ? static_cast<std::size_t>(PQntuples(impl_->result.get())) : 0; }

std::uint64_t Rows::affected() const {
    if (!impl_) return 0;
    const std::string_view text = PQcmdTuples(impl_->result.get());
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

bool Rows::is_null(std::size_t row, std::size_t column) const {
    FP_ASSERT(row < size() && static_cast<int>(column) < PQnfields(impl_->result.get()));
    return PQgetisnull(impl_->result.get(), static_cast<int>(row), static_cast<int>(column)) != 0;
}

std::int64_t Rows::integer(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::int2, Oid::int4, Oid::int8, Oid::xid8};
    FP_ASSERT(impl_ != nullptr);
    const auto bytes = bytes_of(impl_->result.get(), row, column, allowed);
    if (bytes.size() == sizeof(std::int16_t)) return read_integer<std::int16_t>(bytes);
    if (bytes.size() == sizeof(std::int32_t)) return read_integer<std::int32_t>(bytes);
    return read_integer<std::int64_t>(bytes);
}

bool Rows::boolean(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::boolean};
    FP_ASSERT(impl_ != nullptr);
    return bytes_of(impl_->result.get(), row, column, allowed).front() != 0;
}

std::string Rows::text(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::text, Oid::name, Oid::varchar, Oid::json, Oid::jsonb};
    FP_ASSERT(impl_ != nullptr);
    auto bytes = bytes_of(impl_->result.get(), row, column, allowed);
    // jsonb_send puts a format version before the text.
    const bool is_jsonb = static_cast<Oid>(PQftype(impl_->result.get(), static_cast<int>(column))) == Oid::jsonb;
    if (is_jsonb) bytes = bytes.subspan(1);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes Rows::bytes(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::bytea};
    FP_ASSERT(impl_ != nullptr);
    return to_bytes(bytes_of(impl_->result.get(), row, column, allowed));
}

Uuid Rows::uuid(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::uuid};
    FP_ASSERT(impl_ != nullptr);
    const auto bytes = UuidBytes::from(bytes_of(impl_->result.get(), row, column, allowed));
    FP_ASSERT(bytes.has_value());
    return Uuid{*bytes};
}

UnixTime Rows::time(std::size_t row, std::size_t column) const {
    static constexpr std::array allowed{Oid::timestamptz};
    FP_ASSERT(impl_ != nullptr);
    const auto count = read_integer<std::int64_t>(bytes_of(impl_->result.get(), row, column, allowed));
    if (count == std::numeric_limits<std::int64_t>::min()) return UnixTime::min();
    if (count == std::numeric_limits<std::int64_t>::max()) return UnixTime::max();
    return UnixTime(std::chrono::microseconds(count + postgres_epoch_us));
}

}  // namespace fencepost::store::pg
