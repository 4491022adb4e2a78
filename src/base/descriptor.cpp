#include "base/descriptor.hpp"

#include <cerrno>
#include <unistd.h>

namespace fencepost {

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

std::optional<std::size_t> read_fully(int descriptor, std::span<std::uint8_t> buffer) {
    std::size_t length = 0;
    while (length < buffer.size()) {
        const auto got = ::read(descriptor, buffer.data() + length, buffer.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::nullopt;
        if (got == 0) break;
        length += static_cast<std::size_t>(got);
    }
    return length;
}

bool write_fully(int descriptor, ByteView bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace fencepost
