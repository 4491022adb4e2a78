// An open file that closes itself, and reading and writing it whole. Streams of the standard library would keep secrets
// in buffers that nobody wipes, and cannot say what permissions a new file has.
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

/// How much there was, up to the size of `buffer`; nothing, and errno, when reading failed.
[[nodiscard]] std::optional<std::size_t> read_fully(int descriptor, std::span<std::uint8_t> buffer);
/// False, and errno, when it failed.
[[nodiscard]] bool write_fully(int descriptor, ByteView bytes);

}  // namespace fencepost
