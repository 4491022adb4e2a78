// Creates the shared libsecp256k1 context.
#include "codec/secp256k1_context.hpp"

#include <array>
#include <sys/random.h>

#include "base/assert.hpp"
#include "base/crypto/wipe.hpp"

namespace fencepost::codec {
namespace {

// The seed blinds arithmetic on secrets against side channels; no result depends on it. So it bypasses the Random port,
// and a simulated run remains a function of its seed.
const secp256k1_context* make_context() {
    secp256k1_context* context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    FP_ASSERT(context != nullptr);
    std::array<unsigned char, 32> seed{};
    FP_ASSERT(::getrandom(seed.data(), seed.size(), 0) == static_cast<ssize_t>(seed.size()));
    FP_ASSERT(secp256k1_context_randomize(context, seed.data()) == 1);
    wipe(seed);
    return context;
}

}  // namespace

const secp256k1_context* secp256k1() {
    static const secp256k1_context* const context = make_context();
    return context;
}

}  // namespace fencepost::codec
