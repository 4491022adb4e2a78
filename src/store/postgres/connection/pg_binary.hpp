// PostgreSQL's binary format: a batch of a thousand rows is a few arrays instead of text to parse. Documented only by
// the server's *_send and *_recv functions; everything is big-endian.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/assert.hpp"
#include "base/bytes.hpp"

namespace fencepost::store::pg {

/// The fixed oids of built-in types (pg_type.dat).
enum class Oid : std::uint32_t {
    boolean = 16,
    bytea = 17,
    name = 19,
    int8 = 20,
    int2 = 21,
    int4 = 23,
    text = 25,
    oid = 26,
    json = 114,
    boolean_array = 1000,
    bytea_array = 1001,
    text_array = 1009,
    int8_array = 1016,
    varchar = 1043,
    timestamptz = 1184,
    interval = 1186,
    uuid = 2950,
    uuid_array = 2951,
    jsonb = 3802,
    xid8 = 5069,
};

/// Microseconds between PostgreSQL's epoch (2000-01-01) and the Unix epoch.
inline constexpr std::int64_t postgres_epoch_us = 946'684'800'000'000;

template <std::signed_integral T>
[[nodiscard]] std::array<std::uint8_t, sizeof(T)> big_endian(T value) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::make_unsigned_t<T>>(value) >> (8 * (sizeof(T) - 1 - i)));
    return bytes;
}

template <std::signed_integral T>
void append_integer(Bytes& to, T value) {
    const auto bytes = big_endian(value);
    to.insert(to.end(), bytes.begin(), bytes.end());
}

template <std::signed_integral T>
[[nodiscard]] T read_integer(ByteView from) {
    FP_ASSERT(from.size() == sizeof(T), "{} bytes instead of {} for an integer", from.size(), sizeof(T));
    std::make_unsigned_t<T> value = 0;
    for (const auto byte : from)
        value = static_cast<std::make_unsigned_t<T>>((static_cast<std::uint64_t>(value) << 8U) | byte);
    return static_cast<T>(value);
}

/// One dimension with lower bound 1; an empty array has no dimension, as the server writes it.
class ArrayWriter {
public:
    /// `size` is the total size of all elements, to allocate once.
    ArrayWriter(Oid element, std::size_t count, std::size_t size);

    void add(ByteView element);
    void add_null();
    /// All `count` elements must have been added.
    [[nodiscard]] Bytes finish();

private:
    Bytes bytes_;
    std::size_t missing_;
};

}  // namespace fencepost::store::pg
