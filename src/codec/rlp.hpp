// RLP, the encoding that Ethereum hashes and signs. Each value has exactly one encoding; the reader accepts no other,
// so accepted bytes re-encode unchanged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/uint256.hpp"

namespace fencepost::codec {

/// Appends values. The length of a list is inserted before its items when the list ends.
class RlpWriter {
public:
    explicit RlpWriter(std::size_t expected_size = 256) { out_.reserve(expected_size); }

    /// A byte outside RLP: the type of a transaction (EIP-2718).
    void raw(std::uint8_t byte) { out_.push_back(byte); }
    void bytes(ByteView bytes);
    void integer(std::uint64_t value);
    void integer(const Uint256& value);
    /// 32 big-endian bytes as an integer, without leading zeros.
    void big_endian(ByteView integer);

    struct ListStart {
        std::size_t offset;
    };
    [[nodiscard]] ListStart begin_list() const { return {out_.size()}; }
    void end_list(ListStart start);

    [[nodiscard]] ByteView view() const { return out_; }
    [[nodiscard]] Bytes take() && { return std::move(out_); }

private:
    Bytes out_;
};

/// Reads the items of one list, or of the input, in order. The first error is kept; after it every item is empty and
/// the reader is at its end. So check error() once, before using the values.
class RlpReader {
public:
    /// Deeper than any transaction; nesting costs stack.
    static constexpr unsigned max_depth = 16;

    explicit RlpReader(ByteView input) : rest_(input) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    [[nodiscard]] bool next_is_list() const { return !rest_.empty() && rest_.front() >= 0xc0; }

    /// The names are for the error: "gas limit: has leading zeros".
    [[nodiscard]] ByteView bytes(std::string_view name);
    [[nodiscard]] std::uint64_t uint64(std::string_view name);
    [[nodiscard]] Uint256 uint256(std::string_view name);
    template <typename Fixed>
    [[nodiscard]] Fixed fixed(std::string_view name) {
        return fixed_or_none<Fixed>(name, false).value_or(Fixed{});
    }
    /// Empty for an empty string, which is the destination of a contract deployment.
    template <typename Fixed>
    [[nodiscard]] std::optional<Fixed> optional_fixed(std::string_view name) {
        return fixed_or_none<Fixed>(name, true);
    }

    /// Calls `items` with a reader of the list, which must read it to its end.
    void list(std::string_view name, const std::function<void(RlpReader&)>& items);
    /// Remaining bytes are an error: "3 bytes follow the transaction".
    void expect_end(std::string_view name);

    /// Keeps only the first error.
    void fail(std::string what);
    [[nodiscard]] const std::optional<ParseError>& error() const { return error_; }

private:
    struct Item {
        bool is_list = false;
        ByteView payload;
    };

    template <typename Fixed>
    std::optional<Fixed> fixed_or_none(std::string_view name, bool may_be_empty) {
        const ByteView value = fixed_bytes(name, Fixed::length, may_be_empty);
        if (value.empty()) return std::nullopt;
        Fixed result;
        std::ranges::copy(value, result.data.begin());
        return result;
    }
    ByteView fixed_bytes(std::string_view name, std::size_t length, bool may_be_empty);
    ByteView integer_bytes(std::string_view name, std::size_t max_length);
    /// Consumes the next item; empty if it is malformed.
    std::optional<Item> next(std::string_view name);
    std::optional<Item> next_long(std::string_view name, std::uint8_t first);
    std::optional<Item> take(std::string_view name, bool is_list, std::size_t header_size, std::size_t length);

    ByteView rest_;
    unsigned depth_ = 0;
    std::optional<ParseError> error_;
};

}  // namespace fencepost::codec
