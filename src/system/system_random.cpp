// Seeds the generator from the kernel.
#include "system/system_random.hpp"

#include "base/crypto/kernel_random.hpp"

namespace fencepost {
namespace {

// From the kernel: two nodes must not start with the same seed.
Xoshiro256::State seed_from_kernel() {
    Xoshiro256::State seed{};
    fill_from_kernel({reinterpret_cast<std::uint8_t*>(seed.data()), sizeof(seed)});
    return seed;
}

}  // namespace

SystemRandom::SystemRandom() : generator_(seed_from_kernel()) {}

}  // namespace fencepost
