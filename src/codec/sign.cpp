// Signs transactions with a local key.
#include "codec/sign.hpp"

#include <utility>

#include "base/assert.hpp"
#include "codec/from_port.hpp"

namespace fencepost::codec {

SignedTransaction sign(const Transaction& transaction, const PrivateKey& key) {
    Bytes raw = encode(transaction, key.sign(signing_digest(transaction)));
    const TxHash hash = hash_of(raw);
    return {.hash = hash, .raw = std::move(raw)};
}

SignedTransaction sign(const UnsignedTransaction& wanted, const PrivateKey& key) {
    FP_ASSERT(wanted.from.evm_address() == key.address(), "{} does not sign for {}", key.address().to_checksum(),
              wanted.from);
    return sign(to_transaction(wanted), key);
}

}  // namespace fencepost::codec
