// Canonical RLP encoding and a strict decoder.
#include "codec/rlp.hpp"

#include <array>
#include <span>

#include <fmt/format.h>

namespace fencepost::codec {
namespace {

// The first byte selects the form: a byte that is its own encoding, a short or long string, a short or long list. The
// long forms store the length of the length in it, and the big-endian length after it.
constexpr std::uint8_t string_base = 0x80;
constexpr std::uint8_t list_base = 0xc0;
constexpr std::size_t max_short = 55;

struct Header {
    std::array<std::uint8_t, 9> bytes{};
    std::size_t size = 0;
    [[nodiscard]] ByteView view() const { return ByteView(bytes).first(size); }
};

Header header(std::uint8_t base, std::size_t length) {
    Header result;
    if (length <= max_short) {
        result.bytes[result.size++] = static_cast<std::uint8_t>(base + length);
        return result;
    }
    std::size_t length_of_length = 0;
    for (std::size_t rest = length; rest != 0; rest >>= 8U)
        ++length_of_length;
    result.bytes[result.size++] = static_cast<std::uint8_t>(base + max_short + length_of_length);
    for (std::size_t i = length_of_length; i-- > 0;)
        result.bytes[result.size++] = static_cast<std::uint8_t>(length >> (8 * i));
    return result;
}

ByteView without_leading_zeros(ByteView bytes) {
    const auto first = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
    return bytes.subspan(static_cast<std::size_t>(first - bytes.begin()));
}

}  // namespace

void RlpWriter::bytes(ByteView bytes) {
    if (bytes.size() != 1 || bytes.front() >= string_base) {
        const Header start = header(string_base, bytes.size());
        out_.insert(out_.end(), start.view().begin(), start.view().end());
    }
    out_.insert(out_.end(), bytes.begin(), bytes.end());
}

void RlpWriter::integer(std::uint64_t value) {
    std::array<std::uint8_t, 8> big_endian_bytes{};
    for (std::size_t i = 0; i < big_endian_bytes.size(); ++i)
        big_endian_bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    big_endian(big_endian_bytes);
}

void RlpWriter::integer(const Uint256& value) { big_endian(value.to_big_endian()); }

void RlpWriter::big_endian(ByteView integer) { bytes(without_leading_zeros(integer)); }

void RlpWriter::end_list(ListStart start) {
    const Header header_bytes = header(list_base, out_.size() - start.offset);
    out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(start.offset), header_bytes.view().begin(),
                header_bytes.view().end());
}

void RlpReader::fail(std::string what) {
    if (!error_) error_ = ParseError{std::move(what)};
    rest_ = {};
}

std::optional<RlpReader::Item> RlpReader::next(std::string_view name) {
    if (error_) return std::nullopt;
    if (rest_.empty()) {
        fail(fmt::format("{}: is missing", name));
        return std::nullopt;
    }
    const std::uint8_t first = rest_.front();
    if (first < string_base) {
        const Item item{.is_list = false, .payload = rest_.first(1)};
        rest_ = rest_.subspan(1);
        return item;
    }
    const bool is_list = first >= list_base;
    const std::size_t length = first - (is_list ? list_base : string_base);
    if (length > max_short) return next_long(name, first);
    auto item = take(name, is_list, 1, length);
    if (item && !is_list && length == 1 && item->payload.front() < string_base) {
        fail(fmt::format("{}: a byte below 0x80 must be encoded as itself, without a length", name));
        return std::nullopt;
    }
    return item;
}

std::optional<RlpReader::Item> RlpReader::next_long(std::string_view name, std::uint8_t first) {
    const bool is_list = first >= list_base;
    const std::size_t length_of_length = first - (is_list ? list_base : string_base) - max_short;
    if (rest_.size() <= length_of_length) {
        fail(fmt::format("{}: ends within its length", name));
        return std::nullopt;
    }
    const ByteView length_bytes = rest_.subspan(1, length_of_length);
    std::size_t length = 0;
    for (const std::uint8_t byte : length_bytes)
        length = length << 8U | byte;
    if (length_bytes.front() == 0 || length <= max_short) {
        fail(fmt::format("{}: its length is not in the shortest form", name));
        return std::nullopt;
    }
    return take(name, is_list, 1 + length_of_length, length);
}

std::optional<RlpReader::Item> RlpReader::take(std::string_view name, bool is_list, std::size_t header_size,
                                               std::size_t length) {
    const std::size_t available = rest_.size() - header_size;
    if (length > available) {
        fail(fmt::format("{}: has a length of {}, but only {} bytes follow", name, length, available));
        return std::nullopt;
    }
    const Item item{.is_list = is_list, .payload = rest_.subspan(header_size, length)};
    rest_ = rest_.subspan(header_size + length);
    return item;
}

ByteView RlpReader::bytes(std::string_view name) {
    const auto item = next(name);
    if (!item) return {};
    if (!item->is_list) return item->payload;
    fail(fmt::format("{}: is a list, but must be a string of bytes", name));
    return {};
}

ByteView RlpReader::integer_bytes(std::string_view name, std::size_t max_length) {
    const ByteView value = bytes(name);
    if (value.empty()) return value;
    if (value.front() == 0) {
        fail(fmt::format("{}: an integer must not have leading zeros", name));
        return {};
    }
    if (value.size() > max_length) {
        fail(fmt::format("{}: has {} bytes, but must fit {}", name, value.size(), max_length));
        return {};
    }
    return value;
}

std::uint64_t RlpReader::uint64(std::string_view name) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : integer_bytes(name, sizeof(value)))
        value = value << 8U | byte;
    return value;
}

Uint256 RlpReader::uint256(std::string_view name) {
    return Uint256::from_big_endian(integer_bytes(name, 32)).value_or(Uint256{});
}

ByteView RlpReader::fixed_bytes(std::string_view name, std::size_t length, bool may_be_empty) {
    const ByteView value = bytes(name);
    if (error_ || value.size() == length || (may_be_empty && value.empty())) return value;
    fail(fmt::format("{}: has {} bytes, but must have {}", name, value.size(), length));
    return {};
}

void RlpReader::list(std::string_view name, const std::function<void(RlpReader&)>& items) {
    const auto item = next(name);
    if (!item) return;
    if (!item->is_list) return fail(fmt::format("{}: is a string of bytes, but must be a list", name));
    if (depth_ + 1 >= max_depth) return fail(fmt::format("{}: lists are nested too deeply", name));
    RlpReader reader(item->payload);
    reader.depth_ = depth_ + 1;
    items(reader);
    reader.expect_end("the last item");
    if (reader.error_) fail(fmt::format("{}: {}", name, reader.error_->what));
}

void RlpReader::expect_end(std::string_view name) {
    if (!at_end()) fail(fmt::format("{} bytes follow {}", rest_.size(), name));
}

}  // namespace fencepost::codec
