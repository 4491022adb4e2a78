// Raw transactions come from remote signers and from nodes. No bytes may crash the decoder, and every decoded
// transaction must be encoded to the same bytes: otherwise one transaction could have two hashes.
#include <cstddef>
#include <cstdint>

#include "base/assert.hpp"
#include "codec/revert.hpp"
#include "codec/transaction.hpp"

namespace fencepost::codec {
namespace {

void check_transaction(ByteView raw) {
    const auto decoded = decode(raw);
    if (!decoded) {
        FP_ASSERT(!decoded.error().what.empty());
        return;
    }
    FP_ASSERT(encode(decoded->transaction, decoded->signature) == to_bytes(raw));
    FP_ASSERT(decoded->hash == hash_of(raw));
    FP_ASSERT(recover(signing_digest(decoded->transaction), decoded->signature) == decoded->sender);
}

void check_revert(ByteView data) { FP_ASSERT(decode_revert(data).text.size() < 1024); }

}  // namespace
}  // namespace fencepost::codec

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fencepost::ByteView bytes(data, size);
    fencepost::codec::check_transaction(bytes);
    fencepost::codec::check_revert(bytes);
    return 0;
}
