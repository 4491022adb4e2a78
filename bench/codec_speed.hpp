// How fast one core signs and decodes transactions, and how much of that is the cost of the elliptic curve.
#pragma once

namespace fencepost::bench {

struct CodecSpeed {
    double sign_per_s = 0;       // a transfer from the port's types to signed bytes and their hash
    double bare_sign_per_s = 0;  // secp256k1_ecdsa_sign_recoverable alone: the upper bound
    double sign_ratio = 0;       // the ratio of the two, measured alternately
    double decode_per_s = 0;     // including recovery of the sender
};

[[nodiscard]] CodecSpeed measure_codec();

}  // namespace fencepost::bench
