// Writes binary arrays.
#include "store/postgres/connection/pg_binary.hpp"

#include <utility>

namespace fencepost::store::pg {
namespace {

constexpr std::size_t header_words = 5;
constexpr std::size_t has_null_at = 7;  // low byte of the second word

}  // namespace

ArrayWriter::ArrayWriter(Oid element, std::size_t count, std::size_t size) : missing_(count) {
    bytes_.reserve((header_words + count) * sizeof(std::int32_t) + size);
    append_integer(bytes_, std::int32_t{count == 0 ? 0 : 1});
    append_integer(bytes_, std::int32_t{0});
    append_integer(bytes_, static_cast<std::int32_t>(element));
    if (count == 0) return;
    append_integer(bytes_, static_cast<std::int32_t>(count));
    append_integer(bytes_, std::int32_t{1});
}

void ArrayWriter::add(ByteView element) {
    append_integer(bytes_, static_cast<std::int32_t>(element.size()));
    bytes_.insert(bytes_.end(), element.begin(), element.end());
    --missing_;
}

void ArrayWriter::add_null() {
    append_integer(bytes_, std::int32_t{-1});
    bytes_[has_null_at] = 1;
    --missing_;
}

Bytes ArrayWriter::finish() {
    FP_ASSERT(missing_ == 0);
    return std::move(bytes_);
}

}  // namespace fencepost::store::pg
