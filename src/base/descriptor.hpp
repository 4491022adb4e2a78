// A file descriptor that closes itself, with complete reads and writes. Standard streams would keep secrets in buffers
// that are not wiped, and cannot set the permissions of a new file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.hpp"

namespace fencepost {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    explicit operator bool() const { return number_ >= 0; }
    [[nodiscard]] int get() const { return number_; }

private:
    int number_;
};

/// The number of bytes read, up to the size of `buffer`; none, with errno set, on failure.
[[nodiscard]] std::optional<std::size_t> read_fully(int descriptor, std::span<std::uint8_t> buffer);
/// False, with errno set, on failure.
[[nodiscard]] bool write_fully(int descriptor, ByteView bytes);

}  // namespace fencepost
