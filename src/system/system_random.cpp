#include "system/system_random.hpp"

#include <cerrno>
#include <cstring>
#include <sys/random.h>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost {
namespace {

// getrandom(), not std::random_device: the latter asks the processor first, and there are processors that answer every
// draw with the same value. Two nodes must not start from the same seed.
Xoshiro256::State seed_from_kernel() {
    Xoshiro256::State seed{};
    ssize_t got = 0;
    do {
        got = ::getrandom(seed.data(), sizeof(seed), 0);
    } while (got < 0 && errno == EINTR);
    // Up to 256 bytes come whole or not at all.
    if (got != static_cast<ssize_t>(sizeof(seed))) {
        throw StartupError(
            fmt::format("the kernel gives no random seed ({}); allow the getrandom system call", std::strerror(errno)));
    }
    return seed;
}

}  // namespace

SystemRandom::SystemRandom() : generator_(seed_from_kernel()) {}

}  // namespace fencepost
