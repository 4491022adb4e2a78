#include "base/crypto/kernel_random.hpp"

#include <cerrno>
#include <cstring>
#include <sys/random.h>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/startup_error.hpp"

namespace fencepost {

// getrandom(), not std::random_device: the latter asks the processor first, and some processors return the same value
// at every call.
void fill_from_kernel(std::span<std::uint8_t> bytes) {
    FP_ASSERT(bytes.size() <= 256, "larger requests may be returned in pieces");
    ssize_t got = 0;
    do {
        got = ::getrandom(bytes.data(), bytes.size(), 0);
    } while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(bytes.size())) {
        throw StartupError(
            fmt::format("the kernel gives no randomness ({}); allow the getrandom system call", std::strerror(errno)));
    }
}

}  // namespace fencepost
