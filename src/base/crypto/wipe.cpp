#include "base/crypto/wipe.hpp"

#include <string.h>  // explicit_bzero is not in <cstring>

namespace fencepost {

void wipe(std::span<std::uint8_t> secret) {
    if (secret.empty()) return;  // explicit_bzero does not accept null, even for length 0
    ::explicit_bzero(secret.data(), secret.size());
}

}  // namespace fencepost
