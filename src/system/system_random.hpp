// Unpredictable enough bits for ids and for spreading load, without a system call for each: a generator seeded once
// from the kernel.
#pragma once

#include "base/crypto/xoshiro256.hpp"
#include "ports/random.hpp"

namespace fencepost {

/// One belongs to one thread. Throws StartupError when the kernel gives no seed.
class SystemRandom final : public Random {
public:
    SystemRandom();

    [[nodiscard]] std::uint64_t bits() override { return generator_.next(); }

private:
    Xoshiro256 generator_;
};

}  // namespace fencepost
