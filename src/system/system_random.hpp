// Random bits for ids and load spreading, without a system call for each: a generator seeded once from the kernel.
#pragma once

#include "base/crypto/xoshiro256.hpp"
#include "ports/random.hpp"

namespace fencepost {

/// Each instance belongs to one thread. Throws StartupError when the kernel provides no seed.
class SystemRandom final : public Random {
public:
    SystemRandom();

    [[nodiscard]] std::uint64_t bits() override { return generator_.next(); }

private:
    Xoshiro256 generator_;
};

}  // namespace fencepost
