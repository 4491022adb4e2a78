// How fast one core signs and decodes, and how much of that is the curve's own cost.
#pragma once

namespace fencepost::bench {

struct CodecSpeed {
    double sign_per_s = 0;       // a transfer from the port's form to signed bytes and their hash
    double bare_sign_per_s = 0;  // secp256k1_ecdsa_sign_recoverable alone: the ceiling
    double sign_ratio = 0;       // of the two, measured in turns
    double decode_per_s = 0;     // with the sender recovered
};

[[nodiscard]] CodecSpeed measure_codec();

}  // namespace fencepost::bench
